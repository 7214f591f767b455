import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Directories that are filled before anybody can watch them: nothing may be missed, and nothing said twice.
@Suite(.heavy) struct DirectoryRaceTests {
  /// What was said of a tree that arrived: each path once, each file finished once.
  private func expectOnce(
    _ observed: ObservedFolder, from mark: Int, files: Int, folders: Int,
    allowing more: Set<FileSystemChange.Kind> = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let changes = observed.changes(from: mark)
    let paths = { (kind: FileSystemChange.Kind) in changes.filter { $0.kind == kind }.map(\.path) }
    #expect(Set(changes.map(\.kind)).subtracting(more) == [.discovered, .copyFinished], sourceLocation: sourceLocation)
    #expect(paths(.discovered).count == files + folders, sourceLocation: sourceLocation)
    #expect(Set(paths(.discovered)).count == files + folders, sourceLocation: sourceLocation)
    #expect(paths(.copyFinished).count == files, sourceLocation: sourceLocation)
    #expect(Set(paths(.copyFinished)).count == files, sourceLocation: sourceLocation)
    #expect(Set(changes.map(\.uuid)).count == files + folders, sourceLocation: sourceLocation)
  }

  @Test func deepFoldersAreMadeAndFilledAtOnce() async throws {
    let rounds = Scale.of(200)
    let observed = try await ObservedFolder.begin()
    let mark = observed.recorder.position
    let root = observed.root
    try await onThread {
      for round in 0..<rounds {
        let top = "r\(round)"
        try root.makeDirectories("\(top)/a/b/c/d")
        for folder in ["", "/a", "/a/b", "/a/b/c", "/a/b/c/d"] { try root.write("\(top)\(folder)/f.txt") }
      }
    }
    try await observed.settle(within: .seconds(120))
    expectOnce(observed, from: mark, files: rounds * 5, folders: rounds * 5)
    try await observed.expectAgreement()
  }

  @Test func deepFoldersAreMadeByAShell() async throws {
    let rounds = Scale.of(50)
    let observed = try await ObservedFolder.begin()
    let mark = observed.recorder.position
    let root = observed.root
    let script =
      "cd $0; for i in $(seq \(rounds)); do mkdir -p $i/a/b/c/d; echo x > $i/a/b/c/d/f; echo y > $i/a/g; done"
    try await onThread { try Command.run("bash", "-c", script, root.path) }
    try await observed.settle(within: .seconds(120))
    expectOnce(observed, from: mark, files: rounds * 2, folders: rounds * 5)
    try await observed.expectAgreement()
  }

  /// The tag of a folder must not be lost because the folder has another name by the time it is written.
  @Test func foldersAreRenamedAsSoonAsTheyAreFilled() async throws {
    let observed = try await ObservedFolder.begin()
    let root = observed.root
    try await onThread {
      for round in 0..<Scale.of(200) {
        let top = "r\(round)"
        try root.makeDirectories("\(top)/x/y")
        for file in ["1.txt", "x/2.txt", "x/y/3.txt"] { try root.write("\(top)/\(file)") }
        try root.rename("\(top)/x", "\(top)/z")
        if round % 2 == 0 { try root.rename(top, "renamed\(round)") }
      }
    }
    try await observed.expectAgreement(within: .seconds(30))
  }

  @Test func aTreeIsCopiedIn() async throws {
    let tree = Tree(folders: Scale.of(1000), filesInEach: 3)
    let observed = try await ObservedFolder.begin { try tree.make(in: $0.outside) }
    let mark = observed.recorder.position
    try await onThread { [root = observed.root, outside = observed.outside] in
      try Command.run("cp", "-r", outside["tree"], root["tree"])
    }
    try await observed.settle(within: .seconds(120))
    expectOnce(observed, from: mark, files: tree.fileCount, folders: tree.folderCount)
    try await observed.expectAgreement()
  }

  @Test func aTreeIsUnpacked() async throws {
    let tree = Tree(folders: Scale.of(1000), filesInEach: 3)
    let observed = try await ObservedFolder.begin { folder in
      try tree.make(in: folder.outside)
      try Command.run("tar", "cf", folder.outside["tree.tar"], "-C", folder.outside.path, "tree")
    }
    let mark = observed.recorder.position
    try await onThread { [root = observed.root, outside = observed.outside] in
      try Command.run("tar", "xf", outside["tree.tar"], "-C", root.path)
    }
    try await observed.settle(within: .seconds(120))
    expectOnce(observed, from: mark, files: tree.fileCount, folders: tree.folderCount)
    try await observed.expectAgreement()
  }

  @Test func aTreeIsMovedIn() async throws {
    let tree = Tree(folders: Scale.of(1000), filesInEach: 3)
    let observed = try await ObservedFolder.begin { try tree.make(in: $0.outside) }
    let mark = observed.recorder.position
    try observed.root.rename(observed.outside["tree"], "tree")
    try await observed.settle(within: .seconds(120))
    expectOnce(observed, from: mark, files: tree.fileCount, folders: tree.folderCount)
    try await observed.expectAgreement()
  }

  /// Everything goes while it is still being looked at.
  @Test func aTreeComesAndGoesAndComes() async throws {
    let tree = Tree(folders: Scale.of(300), filesInEach: 3)
    let observed = try await ObservedFolder.begin { try tree.make(in: $0.outside) }
    try await onThread { [root = observed.root, outside = observed.outside] in
      for _ in 0..<5 {
        try root.rename(outside["tree"], "tree")
        try root.rename("tree", "other")
        try root.rename("other", outside["tree"])
      }
      try root.rename(outside["tree"], "final")
    }
    try await observed.expectAgreement(within: .seconds(30))
  }

  @Test func aCopiedTreeIsMovedWhileItIsCopied() async throws {
    let tree = Tree(folders: Scale.of(300), filesInEach: 3)
    let observed = try await ObservedFolder.begin { folder in
      try tree.make(in: folder.outside)
      try folder.watched.mkdir("elsewhere")
    }
    let mark = observed.recorder.position
    let root = observed.root
    async let copied: Void = onThread { [outside = observed.outside] in
      // cp stumbles when its target goes away: what counts is that what is left is told.
      _ = try? Command.run("cp", "-r", outside["tree"], root["tree"])
    }
    try await observed.recorder.awaitChange("the copy to begin", from: mark) { $0.path.string == root["tree"] }
    try root.rename("tree", "elsewhere/tree")
    try await copied
    try await observed.expectAgreement(within: .seconds(30))
  }
}

/// A tree of folders with files.
struct Tree: Sendable {
  let folders: Int
  let filesInEach: Int

  /// All folders, the topmost included.
  var folderCount: Int { folders + 1 }
  var fileCount: Int { folders * filesInEach }

  /// Makes `tree`, with folders up to three deep.
  func make(in parent: Folder) throws(Errno) {
    let root = parent.folder("tree")
    try root.makeDirectory()
    for number in 0..<folders {
      try root.mkdir(name(number))
      for file in 0..<filesInEach { try root.write("\(name(number))/f\(file).txt") }
    }
  }

  private func name(_ number: Int) -> String { number < 10 ? "\(number)" : "\(name(number / 10 - 1))/\(number)" }
}
