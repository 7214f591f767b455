import Testing

@testable import FileSystemObservation

struct ListedDirectoriesTests {
  @Test func eachIsTakenOnce() {
    var directories = ListedDirectories()
    directories.note(.root, listing: 0)
    directories.note(NodeID(index: 7), listing: 3)
    directories.note(NodeID(index: 5), listing: 2)
    #expect(directories.take(listing: 3) == NodeID(index: 7))
    #expect(directories.take(listing: 3) == nil)
    #expect(directories.take(listing: 0) == .root)
    #expect(directories.take(listing: 2) == NodeID(index: 5))
  }

  @Test func whatWasNotNotedIsNotThere() {
    var directories = ListedDirectories()
    #expect(directories.take(listing: 0) == nil)
    directories.note(NodeID(index: 1), listing: 5)
    #expect(directories.take(listing: 4) == nil && directories.take(listing: 6) == nil)
    #expect(directories.take(listing: .max) == nil)
  }
}
