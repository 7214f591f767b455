#if Store
import FileTestSupport
import Foundation
import FoundationEssentials
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// What is known by their contents of files without tags that come while the observer runs.
@Suite(.busy, .timeLimit(.minutes(10))) struct ContentLiveTests {
  private let stored: StoredFolder

  init() throws {
    stored = try StoredFolder()
  }

  /// Runs an observer that knows the contents of some files, and does something; what it announces of that, and its tree.
  private func whatIsSaid(
    _ names: [String], of commands: String..., until count: Int
  ) async throws -> (said: [String], before: FileSystemSnapshot, after: FileSystemSnapshot) {
    for name in names { try stored.write(name, name) }
    try stored.rest()
    let observer = FileSystemObserver(stored.configuration, store: stored.store)
    _ = try await stored.started(observer)
    await observer.readContents()
    let before = observer.snapshot()
    let events = observer.events(startingWith: .now)
    for command in commands { try stored.shell(command) }
    var said: [String] = []
    for try await event in events {
      said += stored.said([event])
      if said.count >= count { break }
    }
    // Nothing more is to come.
    await observer.synchronize()
    let after = observer.snapshot()
    await observer.stop()
    return (said.sorted(), before, after)
  }

  @Test func aPlainCopyIsADuplicate() async throws {
    let (said, before, after) = try await whatIsSaid(
      ["letter.odt", "other.odt"], of: "cp letter.odt copy.odt", until: 1)
    #expect(said == ["duplicated letter.odt => copy.odt"])
    #expect(try stored.uuid("letter.odt", in: after) == stored.uuid("letter.odt", in: before))
  }

  @Test func aDocumentThatIsCopiedAndRemovedIsMoved() async throws {
    let (said, before, after) = try await whatIsSaid(
      ["letter.odt", "folder/other.odt"], of: "cp letter.odt folder/letter.odt && rm letter.odt", until: 1)
    #expect(said == ["moved letter.odt -> folder/letter.odt"])
    #expect(try stored.uuid("folder/letter.odt", in: after) == stored.uuid("letter.odt", in: before))
  }

  /// As git does when it checks out another branch, and this one again: other inodes, without tags.
  @Test func whatWasRemovedAndIsRestoredReturns() async throws {
    for name in ["letter.odt", "folder/other.odt", "changed.odt"] { try stored.write(name, name) }
    try stored.shell("cp -r . ../saved")
    try stored.rest()
    let observer = FileSystemObserver(stored.configuration, store: stored.store)
    _ = try await stored.started(observer)
    await observer.readContents()
    let before = observer.snapshot()
    try stored.shell("rm -r letter.odt folder changed.odt")
    await observer.synchronize()
    #expect(observer.snapshot().isEmpty)
    try stored.shell("cp -r ../saved/. . && echo more >> changed.odt")
    await observer.synchronize()
    try expectReturn(observer.snapshot(), before)
    // The same, but they come back while nothing observes.
    try stored.shell("rm -r letter.odt folder changed.odt")
    await observer.synchronize()
    await observer.stop()
    try stored.shell("cp -r ../saved/. . && echo more again >> changed.odt")
    let (said, after) = try await stored.run()
    #expect(
      said == [
        "discovered changed.odt", "discovered folder", "discovered folder/other.odt", "discovered letter.odt",
      ])
    try expectReturn(after, before)
  }

  /// Expects that the documents with the contents of before are those of before, and the other one is not.
  private func expectReturn(_ after: FileSystemSnapshot, _ before: FileSystemSnapshot) throws {
    for name in ["letter.odt", "folder/other.odt"] {
      #expect(try stored.uuid(name, in: after) == stored.uuid(name, in: before), "\(name)")
    }
    #expect(try stored.uuid("changed.odt", in: after) != stored.uuid("changed.odt", in: before))
  }

  @Test func aFolderThatIsCopiedAndRemovedKeepsItsDocuments() async throws {
    let (said, before, after) = try await whatIsSaid(
      ["book/one.odt", "book/two.odt"], of: "cp -r book moved && rm -r book", until: 4)
    #expect(
      said == [
        "deleted book", "discovered moved", "moved book/one.odt -> moved/one.odt",
        "moved book/two.odt -> moved/two.odt",
      ])
    #expect(try stored.uuid("moved/one.odt", in: after) == stored.uuid("book/one.odt", in: before))
  }

  @Test func twoCopiesOfOneThatIsRemovedAreNew() async throws {
    let (said, _, _) = try await whatIsSaid(
      ["letter.odt"], of: "cp letter.odt one.odt && cp letter.odt two.odt && rm letter.odt", until: 3)
    #expect(said == ["deleted letter.odt", "discovered one.odt", "discovered two.odt"])
  }

  @Test func anotherFileOfTheSameSizeIsNew() async throws {
    let (said, _, _) = try await whatIsSaid(
      ["letter.odt"], of: "tr a-y b-z < letter.odt > another.odt", "rm letter.odt", until: 2)
    #expect(said == ["deleted letter.odt", "discovered another.odt"])
  }

  @Test func aCopyThatIsAnnouncedWhileItIsWrittenIsADuplicateInTheEnd() async throws {
    let (said, _, _) = try await whatIsSaid(
      ["letter.odt"], of: "(cat letter.odt; sleep 3) > copy.odt", until: 2)
    #expect(said == ["discovered copy.odt", "duplicated letter.odt => copy.odt"])
  }

  @Test(.enabled(if: geteuid() == 0, "only root may mount"))
  func aDocumentThatIsCopiedToAnotherFileSystemAndRemovedIsMoved() async throws {
    try stored.shell("mkdir stick")
    try Command.run("mount", "-t", "tmpfs", "none", stored.path("stick"))
    defer { try? Command.run("umount", "-l", stored.path("stick")) }
    let (said, before, after) = try await whatIsSaid(
      ["letter.odt", "other.odt"], of: "cp letter.odt stick/ && rm letter.odt", until: 1)
    #expect(said == ["moved letter.odt -> stick/letter.odt"])
    #expect(try stored.uuid("stick/letter.odt", in: after) == stored.uuid("letter.odt", in: before))
  }

  /// Two observers of a folder with a document, each with a store of its own, that know its content.
  private func twoObservers() async throws -> [FileSystemObserver] {
    try stored.write("letter.odt", "letter")
    try stored.rest()
    let stores = [stored.store, try ObservationStore(at: stored.scratch.path("state/other"))]
    let observers = stores.map { FileSystemObserver(stored.configuration, store: $0) }
    for observer in observers {
      _ = try await stored.started(observer)
      await observer.readContents()
    }
    return observers
  }

  private func said(_ queue: FileSystemObserver.EventQueue) -> [String] {
    var said: [String] = []
    while let event = queue.next() { said += stored.said([event]) }
    return said
  }

  /// Both find the same, and neither changes what the other has decided.
  @Test func twoObserversAgree() async throws {
    let observers = try await twoObservers()
    let uuid = try stored.uuid("letter.odt", in: observers[0].snapshot())
    for (command, expected) in [
      ("cp letter.odt renamed.odt && rm letter.odt", "renamed letter.odt -> renamed.odt"),
      ("cp renamed.odt copy.odt", "duplicated renamed.odt => copy.odt"),
    ] {
      let queues = try observers.map { try $0.makeEventQueue(startingWith: .now) }
      try stored.shell(command)
      for observer in observers {
        await observer.synchronize()
        await observer.readContents()
      }
      // One that finds the tag of the other before it has read the file sees another time, too.
      for queue in queues { #expect(said(queue).filter { !$0.hasPrefix("modified") } == [expected]) }
    }
    let snapshots = observers.map { $0.snapshot() }
    #expect(snapshots[0].map(\.uuid) == snapshots[1].map(\.uuid))
    #expect(try stored.uuid("renamed.odt", in: snapshots[0]) == uuid)
    for observer in observers { await observer.stop() }
  }
}
#endif
