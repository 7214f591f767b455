import Testing

@testable import FileSystemObservation

struct MultimapTests {
  @Test func membersAreKeptByKey() {
    var map = Multimap<String, Int>()
    for member in [1, 2, 2, 3] { map.insert(member, for: "a") }
    map.insert(4, for: "b")
    #expect(map.members(of: "a").sorted() == [1, 2, 3] && map.members(of: "b") == [4] && map.keyCount == 2)
    for member in [1, 3, 7, 2] { map.remove(member, for: "a") }
    #expect(!map.hasMembers("a") && map.count(of: "b") == 1)
    map.remove(5, for: "b")
    #expect(map.contains("b") { $0 == 4 } && !map.contains("b") { $0 == 5 })
  }
}
