import FileEvents
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Places that hints were about.
struct PlacesToInspectTests {
  @Test func eachIsLookedAtOnceWithAllThatWasSaidOfIt() {
    let places = ["b", "a"].map { Place(parent: .root, name: FileName($0)) }
    var inspected = PlacesToInspect()
    #expect(inspected.isEmpty)
    inspected.insert(places[0], .created)
    inspected.insert(places[1], [])
    inspected.insert(places[0], .closed)
    #expect(inspected.places == places && inspected.count == 2 && !inspected.isEmpty)
    #expect(inspected.kinds(of: places[0]) == [.created, .closed] && inspected.kinds(of: places[1]) == [])
  }
}
