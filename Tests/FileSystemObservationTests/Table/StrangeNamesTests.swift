import FileSystemObservation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Names are bytes: nothing is made of them, and none is too strange or too long.
@Suite(.light, .undisturbed) struct StrangeNamesTests {
  @Test(arguments: [
    "two\nlines", String(repeating: "x", count: 255), " ", "-rf", "back\\slash", "\u{1}\u{7f}", "*?[x]", "\u{1F4C4}",
  ])
  func aFileOfAnyNameIsFollowed(_ name: String) async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write(name)
      try $0.watched.mkdir("sub")
    }
    let before = try observed.uuids(name)
    try await observed.saysExactly(["moved \(name) -> sub/\(name)"]) { try $0.rename(name, "sub/\(name)") }
    #expect(try observed.uuids("sub/\(name)") == before)
  }

  @Test func onlyTheCaseOfANameChanges() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("letter.txt") }
    let before = try observed.uuids("letter.txt")
    try await observed.saysExactly(["renamed letter.txt -> Letter.txt"]) { try $0.rename("letter.txt", "Letter.txt") }
    #expect(try observed.uuids("Letter.txt") == before)
  }

  /// Strings of both are equal, paths are not: two files, and each keeps the form it has.
  @Test func unicodeFormsAreKeptApart() async throws {
    let (composed, decomposed) = ("\u{e4}.txt", "a\u{308}.txt")
    let observed = try await ObservedFolder.begin {
      try $0.watched.write(composed, "one")
      try $0.watched.write(decomposed, "two")
    }
    let root = FilePath(observed.root.path)
    let paths = Set(observed.observer.snapshot().map(\.path))
    #expect(paths == [root.appending(composed), root.appending(decomposed)] && paths.count == 2)
    let first = try #require(observed.observer.uuid(forItemAt: root.appending(composed)))
    #expect(try observed.root.tag(composed) == first)
    #expect(observed.observer.uuid(forItemAt: root.appending(decomposed)) != first)

    try observed.root.unlink(decomposed)
    try await observed.settle()
    let mark = observed.recorder.position
    try observed.root.rename(composed, decomposed)
    try await observed.settle()
    #expect(observed.changes(from: mark).map(\.kind) == [.renamed])
    #expect(observed.changes(from: mark).first?.path == root.appending(decomposed))
    #expect(observed.observer.path(forItemWith: first) == root.appending(decomposed))
  }

  /// The kernel takes no path of more than 4095 bytes; there are deeper folders all the same.
  @Test func aPathMayBeLongerThanTheKernelTakes() async throws {
    let observed = try await ObservedFolder.begin()
    let tree = try FolderTree(observed.folder)
    let name = String(repeating: "d", count: 250)
    for depth in 0..<20 { try tree.make(name, in: depth) }
    try tree[20].write("a.txt")
    try await observed.recorder.awaitChange("a.txt") { $0.kind == .copyFinished && $0.path.lastComponent == "a.txt" }
    let uuid = try #require(try tree[20].tag("a.txt"))
    let mark = observed.recorder.position
    try tree[20].rename("a.txt", tree[19]["b.txt"])
    let moved = try await observed.recorder.awaitChange("b.txt", from: mark) { $0.kind == .moved }
    #expect(moved.uuid == uuid && moved.path.length > 4095)
    #expect(observed.observer.path(forItemWith: uuid) == moved.path)
  }

  /// Links are items, and nobody follows them.
  @Test func aLinkToTheFolderItIsInIsNoLoop() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.mkdir("d")
      try $0.watched.symlink("..", "d/up")
      try $0.watched.symlink("itself", "itself")
      try $0.watched.write("d/a.txt")
    }
    #expect(observed.observer.snapshot().count == 4)
    try await observed.saysExactly(["renamed d/a.txt -> d/b.txt"]) { try $0.rename("d/a.txt", "d/b.txt") }
  }
}
