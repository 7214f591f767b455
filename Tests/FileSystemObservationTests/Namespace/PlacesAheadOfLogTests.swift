import FileEvents
import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// What was found before the kernel told of it.
struct PlacesAheadOfLogTests {
  private let now = MonotonicTime(nanoseconds: 1_000)
  private let directory = PendingTables.directory

  @Test func aFindIsConfirmedUntilAHintOfItsDirectoryComes() {
    var finds = PlacesAheadOfLog()
    let key = FileKey(device: 1, inode: 5, born: 1)
    finds.insert(key, at: PendingTables.place("a"), now, due: now, [])
    #expect(
      finds.isConfirmed(key, at: PendingTables.place("a")) && !finds.isConfirmed(nil, at: PendingTables.place("a"))
        && finds.has(key))
    finds.noteHint(in: NodeID(index: 11))
    #expect(finds.isConfirmed(key, at: PendingTables.place("a")))
    finds.noteHint(in: directory)
    #expect(!finds.isConfirmed(key, at: PendingTables.place("a")) && finds.contains(PendingTables.place("a")))
    finds.insert(nil, at: PendingTables.place("a"), now, due: now, [])
    #expect(
      finds.isConfirmed(nil, at: PendingTables.place("a")) && !finds.has(key)
        && !finds.hasInode(at: PendingTables.place("a")))
    finds.removeAll(in: directory)
    #expect(finds.isEmpty && finds.due(PendingTables.place("a")) == nil)
  }

  /// A look that waits is made for the same reason in the end.
  @Test func whatTheHintsSaidIsKeptUntilTheFindIsTakenIn() {
    var finds = PlacesAheadOfLog()
    let key = FileKey(device: 1, inode: 5, born: 1)
    finds.insert(key, at: PendingTables.place("a"), now, due: now, .written)
    finds.insert(nil, at: PendingTables.place("a"), now, due: now, .closed)
    #expect(finds.remove(PendingTables.place("a")) == [.written, .closed])
    #expect(finds.remove(PendingTables.place("a")) == [] && finds.isEmpty)
  }

  /// What is found anew at a place has been waiting since the first time.
  @Test func aFindWaitsSinceItsFirstTime() {
    var finds = PlacesAheadOfLog()
    let (before, later) = (MonotonicTime(nanoseconds: 999), MonotonicTime(nanoseconds: 2_000))
    finds.insert(FileKey(device: 1, inode: 5, born: 1), at: PendingTables.place("a"), now, due: later, [])
    finds.insert(nil, at: PendingTables.place("a"), later, due: later, [])
    #expect(finds.hasFinds(until: now) && !finds.hasFinds(until: before))
    finds.remove(PendingTables.place("a"))
    #expect(!finds.hasFinds(until: later))
  }
}
