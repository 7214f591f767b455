import FileSystemObservation
import FoundationEssentials
import Glibc
import ObservationTestSupport
import TestTraits
import Testing

@Suite(.light, .undisturbed) struct EndingsTests {
  @Test func aFileIsRemoved() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["deleted(removed) a.txt"]) { try $0.unlink("a.txt") }
    #expect(observed.observer.path(forItemWith: before[0]) == nil)
  }

  @Test func anEmptyFolderIsRemoved() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.mkdir("d") }
    try await observed.saysExactly(["deleted(removed) d"]) { try $0.rmdir("d") }
  }

  @Test func aFileLeavesTheTreeAndComesBack() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["deleted(movedOut) a.txt"]) { try $0.rename("a.txt", observed.outside["a.txt"]) }
    try await observed.saysExactly(["discovered(returned) b.txt", "copyFinished b.txt"]) {
      try $0.rename(observed.outside["a.txt"], "b.txt")
    }
    #expect(try observed.uuids("b.txt") == before)
  }

  /// Each folder gets its tag after its contents.
  @Test func aFolderComesBackByCopying() async throws {
    let names = ["d", "d/1.txt", "d/e", "d/e/2.txt"]
    let observed = try await ObservedFolder.begin {
      try $0.watched.makeDirectories("d/e")
      try $0.watched.write("d/1.txt")
      try $0.watched.write("d/e/2.txt")
    }
    let before = try names.map { try observed.uuids($0)[0] }
    try Command.run("cp", "-a", observed.root["d"], observed.outside["d"])
    try await observed.saysExactly(names.map { "deleted(removed) \($0)" }, order: .any) { $0.folder("d").removeTree() }
    let back = names.map { "discovered(returned) \($0)" } + ["copyFinished d/1.txt", "copyFinished d/e/2.txt"]
    try await observed.saysExactly(back, order: .any) {
      try Command.run("cp", "-a", observed.outside["d"], $0["d"])
    }
    #expect(try names.map { try observed.uuids($0)[0] } == before)
  }

  @Test func aFolderLeavesTheTreeAndComesBack() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.makeDirectories("d/e")
      try $0.watched.write("d/1.txt")
      try $0.watched.write("d/e/2.txt")
    }
    let before = try observed.uuids("d", "d/1.txt", "d/e", "d/e/2.txt")
    let names = ["d", "d/1.txt", "d/e", "d/e/2.txt"]
    try await observed.saysExactly(names.map { "deleted(movedOut) \($0)" }, order: .any) {
      try $0.rename("d", observed.outside["d"])
    }
    // The watches went with the folder: nothing that happens there is told.
    try await observed.saysExactly([]) { _ in
      try observed.outside.write("d/3.txt")
      try observed.outside.rename("d/1.txt", "d/one.txt")
      try observed.outside.rename("d/one.txt", "d/1.txt")
      try observed.outside.unlink("d/3.txt")
    }
    let back = names.map { "discovered(returned) \($0)" } + ["copyFinished d/1.txt", "copyFinished d/e/2.txt"]
    try await observed.saysExactly(back, order: .any) { try $0.rename(observed.outside["d"], "d") }
    #expect(try observed.uuids("d", "d/1.txt", "d/e", "d/e/2.txt") == before)
    try await observed.saysExactly(["renamed d/e/2.txt -> d/e/two.txt"]) { try $0.rename("d/e/2.txt", "d/e/two.txt") }
  }

  @Test func aFileLeavesAndIsBackWithinTheWindow() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly([]) { root in
      try root.rename("a.txt", observed.outside["a.txt"])
      try root.rename(observed.outside["a.txt"], "a.txt")
    }
    try await observed.saysExactly(["renamed a.txt -> b.txt"]) { root in
      try root.rename("a.txt", observed.outside["a.txt"])
      try root.rename(observed.outside["a.txt"], "b.txt")
    }
    #expect(try observed.uuids("b.txt") == before)
  }

  @Test func aFolderLeavesAndIsBackWithinTheWindow() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.makeDirectories("d/e")
      try $0.watched.write("d/e/1.txt")
    }
    let before = try observed.uuids("d", "d/e", "d/e/1.txt")
    try await observed.saysExactly(["renamed d -> D"]) { root in
      try root.rename("d", observed.outside["d"])
      try root.rename(observed.outside["d"], "D")
    }
    #expect(try observed.uuids("D", "D/e", "D/e/1.txt") == before)
    try await observed.saysExactly(["renamed D/e/1.txt -> D/e/2.txt"]) { try $0.rename("D/e/1.txt", "D/e/2.txt") }
  }

  /// Most backups keep sizes and times, and no attributes.
  ///
  /// What was written since is another document.
  @Test(arguments: ["cp -rp", "rsync -a", "tar"])
  func whatWasRemovedIsPutBackWithoutItsTag(_ program: String) async throws {
    let observed = try await ObservedFolder.begin { root in
      try root.watched.mkdir("d")
      for name in ["a.txt", "d/b.txt", "c.txt", "empty.txt"] {
        try root.watched.write(name, name == "empty.txt" ? "" : "Before \(name)")
      }
    }
    let before = try observed.uuids("a.txt", "d/b.txt", "c.txt")
    let (root, backup) = (observed.root.path, observed.outside["backup"])
    let copy =
      program == "tar"
      ? "mkdir backup && tar -C \(root) -cf - . | tar -C backup -xf -" : "\(program) \(root)/. backup"
    try Command.run("sh", "-c", "cd \(observed.outside.path) && \(copy) && touch backup/c.txt")
    try await observed.saysExactly(
      ["a.txt", "c.txt", "d/b.txt", "d", "empty.txt"].map { "deleted(removed) \($0)" }, order: .any
    ) { try Command.run("sh", "-c", "rm -r \($0.path)/*") }
    let finished = ["a.txt", "c.txt", "d/b.txt", "empty.txt"].map { "copyFinished \($0)" }
    let back = ["discovered(returned) a.txt", "discovered d", "discovered(returned) d/b.txt"]
    try await observed.saysExactly(back + ["discovered c.txt", "discovered empty.txt"] + finished, order: .any) {
      try Command.run("cp", "-rp", backup + "/.", $0.path)
    }
    let after = try observed.uuids("a.txt", "d/b.txt", "c.txt")
    #expect(after.prefix(2) == before.prefix(2) && after[2] != before[2])
  }

  /// A large file is announced before it is known what it is: its time or its tag comes last.
  @Test(.enabled(if: Ability.tags.isPossible), arguments: [false, true])
  func whatIsPutBackForLongReturnsInTheEnd(_ hasTag: Bool) async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt", "one, two") }
    let before = try observed.uuids("a.txt")
    let tag = try observed.root.tag("a.txt")
    try Command.run("cp", "-p", observed.root["a.txt"], observed.outside["backup"])
    try await observed.saysExactly(["deleted(removed) a.txt"]) { try $0.unlink("a.txt") }
    try await observed.saysExactly(
      [
        "discovered(copying) a.txt", "deleted(replaced) a.txt", "discovered(returned) a.txt", "copyFinished a.txt",
      ]
    ) { root in
      let mark = observed.recorder.position
      let file = try root.open("a.txt", .create)
      try file.write("one, ")
      _ = try await observed.recorder.awaitChange("a.txt", from: mark) { $0.item.isCopying }
      try file.write("two")
      if hasTag, let tag {
        try root.setTag("a.txt", tag)
      } else {
        try Command.run("touch", "-r", observed.outside["backup"], root["a.txt"])
      }
      _ = consume file
    }
    #expect(try observed.uuids("a.txt") == before)
  }

  @Test(.enabled(if: HomeTrash.isReachable, "the home folder is on another file system"))
  func aFileIsTrashedAndRestored() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    let trash = try HomeTrash()
    try await observed.saysExactly(["deleted(trashed) a.txt"]) { try $0.rename("a.txt", trash.path) }
    try await observed.saysExactly(["discovered(returned) a.txt", "copyFinished a.txt"]) {
      try $0.rename(trash.path, "a.txt")
    }
    #expect(try observed.uuids("a.txt") == before)
  }

  /// What has left was not replaced by what comes to its name.
  @Test(.enabled(if: TestSource.seesEveryStep, "polling does not see where the file went"))
  func aLinkComesToTheNameOfAFileThatHasLeft() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    try await observed.saysExactly(["deleted(movedOut) a.txt", "discovered a.txt"]) { root in
      try root.rename("a.txt", observed.outside["a.txt"])
      try root.symlink(observed.outside["a.txt"], "a.txt")
    }
  }

  @Test(
    .enabled(if: HomeTrash.isReachable, "the home folder is on another file system"), arguments: TestSource.toTest)
  func anotherFileGetsTheNameOfOneThatIsInTheTrash(_ source: TestSource) async throws {
    let options = source.applied(to: FileSystemObserver.Configuration())
    let observed = try await ObservedFolder.begin(options: options) {
      try $0.watched.write("a.txt")
      try $0.watched.write("b.txt")
    }
    let trash = try HomeTrash()
    try await observed.saysExactly(["deleted(trashed) a.txt", "renamed b.txt -> a.txt"]) { root in
      try root.rename("a.txt", trash.path)
      try root.rename("b.txt", "a.txt")
    }
  }

  /// A file removed and another of another name created gets no identity from the one that went, whatever its inode
  /// number.
  @Test func aNewFileDoesNotInheritARemovedOnesIdentity() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["deleted(removed) a.txt", "discovered b.txt", "copyFinished b.txt"], order: .any) {
      try $0.unlink("a.txt")
      try $0.write("b.txt")
    }
    #expect(try observed.uuids("b.txt") != before)
  }

  /// Nothing that is made long after a removal is a save.
  @Test func aNewFileAtAPlaceLongGoneIsNew() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    try await observed.saysExactly(["deleted(removed) a.txt"]) { try $0.unlink("a.txt") }
    try await observed.saysExactly(["discovered a.txt", "copyFinished a.txt"]) { try $0.write("a.txt") }
  }
}

/// A place for one file in the trash folder of the user, where what was trashed from the home folder's file system is.
private final class HomeTrash: Sendable {
  private static let folder = Folder(
    (Environment["XDG_DATA_HOME"] ?? "\(Environment["HOME"] ?? "/nowhere")/.local/share") + "/Trash/files")

  let path: String

  init() throws {
    try Folder("/").makeDirectories(Self.folder.path)
    path = Self.folder["fso-test-\(UUID()).txt"]
  }

  deinit {
    try? Folder("/").unlink(path)
  }

  /// Whether a file of a test can be renamed there.
  static var isReachable: Bool {
    guard let trash = try? HomeTrash(), let test = try? TestFolder() else { return false }
    return (try? test.outside.mkdir("x")) != nil && (try? test.outside.rename("x", trash.path)) != nil
      && (try? test.outside.rename(trash.path, "x")) != nil
  }
}
