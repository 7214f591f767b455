import FileSystemObservation
import FoundationEssentials
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@Suite(.light, .undisturbed) struct TagsTests {
  @Test(arguments: ["", "garbage", "11111111-2222-3333-4444-55555555555", "11111111-2222-3333-4444-5555555555555"])
  func aValueThatIsNoUUIDIsNoTag(_ value: String) async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt")
      try $0.watched.setAttribute(tagName, of: "a.txt", to: value)
    }
    #expect(try observed.uuids("a.txt").count == 1)
    try await observed.expectAgreement()
  }

  @Test func aTagInUpperCaseIsRead() async throws {
    let uuid = UUID()
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt")
      try $0.watched.setAttribute(tagName, of: "a.txt", to: uuid.uuidString)
    }
    #expect(try observed.uuids("a.txt") == [uuid])
  }

  @Test func theTagIsInLowerCase() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let value = try observed.root.attribute(tagName, of: "a.txt")
    #expect(value?.count == 36)
    #expect(value == value?.lowercased())
  }

  /// Writing a tag never changes content, mode, owner or the time of the last change of content.
  @Test func taggingLeavesTheFileAsItIs() async throws {
    let folder = try TestFolder()
    try folder.watched.write("a.txt", "content")
    try folder.watched.chmod("a.txt", 0o640)
    let before = try folder.watched.status("a.txt")
    let observed = ObservedFolder(folder)
    try await observed.start()
    let after = try folder.watched.status("a.txt")
    #expect(before.mode == after.mode)
    #expect(before.owner == after.owner)
    #expect(before.inode == after.inode)
    #expect(before.modified == after.modified)
    #expect(try folder.watched.read("a.txt") == Array("content".utf8))
    #expect(try folder.watched.tag("a.txt") != nil)
  }

  @Test func aTagOfAnotherName() async throws {
    var options = FileSystemObserver.Configuration()
    options.tagName = "user.other.name"
    let observed = ObservedFolder(try TestFolder(), options: options)
    try observed.root.write("a.txt")
    try await observed.start()
    let uuid = try #require(observed.observer.uuid(forItemAt: FilePath(observed.root["a.txt"])))
    #expect(try observed.root.attribute("user.other.name", of: "a.txt") == uuid.uuidString.lowercased())
    #expect(try observed.root.tag("a.txt") == nil)
  }

  /// Without tags, the identity rests on the inode: it survives a rename, and another observer computes the same.
  @Test func withoutTags() async throws {
    var options = FileSystemObserver.Configuration()
    options.tagging = .never
    let observed = try await ObservedFolder.begin(options: options) { try $0.watched.write("a.txt") }
    let path = FilePath(observed.root["a.txt"])
    let uuid = try #require(observed.observer.uuid(forItemAt: path))
    #expect(observed.observer.snapshot().map(\.identity) == [.inode])
    let mark = observed.recorder.position
    try observed.root.rename("a.txt", "b.txt")
    try await observed.settle()
    #expect(observed.said(from: mark) == ["renamed a.txt -> b.txt"])
    #expect(try observed.root.tag("b.txt") == nil)
    await observed.observer.stop()
    let second = ObservedFolder(observed.folder, options: options)
    try await second.start()
    #expect(second.observer.uuid(forItemAt: FilePath(observed.root["b.txt"])) == uuid)
  }

  /// A file that may not be written gets no tag; the app is told which kind of identity it has, and nothing fails.
  @Test(.disabled(if: geteuid() == 0, "root may write every file"))
  func aFileThatMayNotBeTagged() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt")
      try $0.watched.chmod("a.txt", 0o444)
    }
    #expect(try observed.root.tag("a.txt") == nil)
    #expect(observed.observer.snapshot().map(\.identity) == [.inode])
    try await observed.saysExactly(["renamed a.txt -> b.txt"]) { try $0.rename("a.txt", "b.txt") }
  }

  /// A tag is written later when it becomes possible.
  @Test(.disabled(if: geteuid() == 0, "root may write every file"))
  func aFileThatMayBeTaggedLater() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt")
      try $0.watched.chmod("a.txt", 0o444)
    }
    let uuid = observed.observer.uuid(forItemAt: FilePath(observed.root["a.txt"]))
    try observed.root.chmod("a.txt", 0o644)
    try await observed.expectAgreement()
    #expect(try observed.root.tag("a.txt") == uuid)
    #expect(observed.observer.snapshot().map(\.identity) == [.tag])
  }

  /// `chattr +i`: not even root may write a tag.
  @Test(.enabled(if: geteuid() == 0 && Ability.tags.isPossible, "only root may make files immutable"))
  func anImmutableFile() async throws {
    let folder = try TestFolder()
    try folder.watched.write("a.txt")
    try folder.watched.write("b.txt")
    do {
      try Command.run("chattr", "+i", folder.watched["a.txt"])
    } catch {
      try Test.cancel("needs a file system that knows immutable files, and chattr")
    }
    defer { try? Command.run("chattr", "-i", folder.watched["a.txt"]) }
    let observed = ObservedFolder(folder)
    try await observed.start()
    let kinds = observed.observer.snapshot().map { [observed.relative($0.path), "\($0.identity)"] }
    #expect(Set(kinds) == [["a.txt", "inode"], ["b.txt", "tag"]])
    #expect(observed.recorder.scans.first?.skipped[.tagNotPermitted] == 1)
    await observed.observer.stop()
  }

  @Test func twoObserversAgree() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let second = ObservedFolder(observed.folder)
    try await second.start()
    for number in 0..<20 { try observed.root.write("new\(number).txt") }
    for number in 0..<10 { try Command.run("cp", "-a", observed.root["a.txt"], observed.root["copy\(number).txt"]) }
    try observed.root.write("a.txt.tmp", "saved")
    try observed.root.rename("a.txt.tmp", "a.txt")
    try await observed.settle()
    try await second.settle()
    try await observed.expectAgreement()
    try await second.expectAgreement()
  }
}
