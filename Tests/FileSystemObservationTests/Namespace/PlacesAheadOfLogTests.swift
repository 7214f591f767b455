import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// What was found before the kernel told of it.
struct PlacesAheadOfLogTests {
  private let now = MonotonicTime(nanoseconds: 1_000)
  private let directory = NodeID(index: 10)

  private func place(_ name: String, in directory: NodeID? = nil) -> Place {
    Place(parent: directory ?? self.directory, name: FileName(name))
  }

  @Test func aFindIsConfirmedUntilAHintOfItsDirectoryComes() {
    var finds = PlacesAheadOfLog()
    let key = FileKey(device: 1, inode: 5, born: 1)
    finds.insert(key, at: place("a"), due: now)
    #expect(finds.isConfirmed(key, at: place("a")) && !finds.isConfirmed(nil, at: place("a")) && finds.has(key))
    finds.noteHint(in: NodeID(index: 11))
    #expect(finds.isConfirmed(key, at: place("a")))
    finds.noteHint(in: directory)
    #expect(!finds.isConfirmed(key, at: place("a")) && finds.contains(place("a")))
    finds.insert(nil, at: place("a"), due: now)
    #expect(finds.isConfirmed(nil, at: place("a")) && !finds.has(key) && !finds.hasInode(at: place("a")))
    finds.removeAll(in: directory)
    #expect(finds.isEmpty && finds.due(place("a")) == nil)
  }
}
