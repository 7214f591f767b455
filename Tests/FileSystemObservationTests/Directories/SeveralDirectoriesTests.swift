import FileSystemObservation
import Foundation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Several directories as one space of identities.
@Suite(.light) struct SeveralDirectoriesTests {
  private let folder: TestFolder
  private let configuration: FileSystemObserver.Configuration

  /// Two selected directories, and another beside each.
  init() throws {
    folder = try TestFolder("several")
    for name in ["home/docs/sub", "home/other", "disk/pics", "disk/rest"] { try folder.watched.makeDirectories(name) }
    for name in ["home/docs/a.txt", "home/docs/sub/b.txt", "disk/pics/c.txt", "home/other/x", "disk/y"] {
      try folder.watched.write(name)
    }
    let paths = ["home/docs", "disk/pics"].map { [folder] in FilePath(folder.watched[$0]) }
    var configuration = FileSystemObserver.Configuration(directories: paths)
    configuration.warnsWithoutListeners = false
    self.configuration = TestSource.named?.applied(to: configuration) ?? configuration
  }

  /// Runs an observer of a configuration, and calls the body when it knows everything.
  private func observe(
    _ configuration: FileSystemObserver.Configuration? = nil,
    _ body: (FileSystemObserver, Recorder) async throws -> Void
  ) async throws {
    let observer = FileSystemObserver(configuration ?? self.configuration)
    let recorder = Recorder(observer)
    try await observer.start()
    await observer.synchronize()
    try await body(observer, recorder)
    await observer.stop()
  }

  /// What was announced since a position, in a few words.
  private func told(_ recorder: Recorder, from mark: Int) -> [String] {
    recorder.changes(from: mark).filter { $0.kind != .copyFinished }.map { change in
      let previous = change.previousPath.map { " \(name($0)) ->" } ?? ""
      return "\(change.kind)\(previous) \(name(change.path))"
    }
  }

  private func name(_ path: FilePath) -> Substring { path.string.dropFirst(folder.watched.path.count + 1) }

  private func names(_ observer: FileSystemObserver) -> [String] {
    observer.snapshot().map { String(name($0.path)) }.sorted()
  }

  // MARK: - Cases

  @Test func onlyTheDirectoriesAndTheWayToThemAreObserved() async throws {
    try await observe { observer, recorder in
      #expect(observer.directory == FilePath(folder.watched.path))
      #expect(
        names(observer) == [
          "disk", "disk/pics", "disk/pics/c.txt", "home", "home/docs", "home/docs/a.txt", "home/docs/sub",
          "home/docs/sub/b.txt",
        ])
      let mark = recorder.position
      try folder.watched.write("home/new")
      try folder.watched.rename("home/other/x", "home/other/z")
      try folder.watched.write("disk/rest/new")
      await observer.synchronize()
      #expect(told(recorder, from: mark) == [])
    }
  }

  @Test func theWayGetsNoTags() async throws {
    if !Ability.tags.isPossible { try Test.cancel("there are no tags here") }
    try await observe { observer, _ in
      for (name, hasTag) in [
        ("", false), ("home", false), ("disk", false), ("home/docs", true), ("disk/pics/c.txt", true),
      ] {
        let path = name.isEmpty ? folder.watched.path : folder.watched[name]
        let identity = try FileSystemIdentity().uuid(ofItemAt: FilePath(path))
        #expect((identity.kind == .tag) == hasTag, "\(name)")
      }
    }
  }

  @Test func whatMovesFromOneToAnotherIsMovedWithItsContents() async throws {
    try await observe { observer, recorder in
      let uuid = try #require(observer[FilePath(folder.watched["home/docs/sub/b.txt"])]).uuid
      var mark = recorder.position
      try folder.watched.rename("home/docs/a.txt", "disk/pics/a.txt")
      try folder.watched.rename("home/docs/sub", "disk/pics/sub")
      await observer.synchronize()
      #expect(
        told(recorder, from: mark) == [
          "moved home/docs/a.txt -> disk/pics/a.txt", "moved home/docs/sub -> disk/pics/sub",
        ])
      #expect(observer[uuid]?.path == FilePath(folder.watched["disk/pics/sub/b.txt"]))
      mark = recorder.position
      try folder.watched.rename("disk/pics/sub", "disk/rest/sub")
      await observer.synchronize()
      #expect(Set(told(recorder, from: mark)) == ["deleted disk/pics/sub/b.txt", "deleted disk/pics/sub"])
      #expect(recorder.changes(from: mark).allSatisfy { $0.deletionReason == .movedOut })
    }
  }

  @Test func aCopyInAnotherDirectoryIsACopy() async throws {
    if !Ability.tags.isPossible { try Test.cancel("there are no tags here") }
    try await observe { observer, recorder in
      let uuid = try #require(observer[FilePath(folder.watched["home/docs/a.txt"])]).uuid
      let mark = recorder.position
      try Command.run("cp", "-a", folder.watched["home/docs/a.txt"], folder.watched["disk/pics/copy.txt"])
      await observer.synchronize()
      let copy = try #require(recorder.changes(from: mark).first { $0.kind == .duplicated })
      #expect(copy.original?.uuid == uuid && copy.uuid != uuid)
      #expect(observer[uuid]?.path == FilePath(folder.watched["home/docs/a.txt"]))
    }
  }

  /// A directory that is renamed has left, and one that comes is discovered: a stick that is taken out and put in.
  @Test func aDirectoryThatGoesAndOneThatComes() async throws {
    try await observe { observer, recorder in
      var mark = recorder.position
      try folder.watched.rename("home/docs", "home/away")
      await observer.synchronize()
      #expect(names(observer) == ["disk", "disk/pics", "disk/pics/c.txt", "home"])
      #expect(told(recorder, from: mark).contains("deleted home/docs/a.txt"))
      mark = recorder.position
      try folder.watched.rename("home/away", "home/docs")
      await observer.synchronize()
      let back = recorder.changes(from: mark).filter { $0.kind == .discovered }
      #expect(back.count == 4 && back.allSatisfy { $0.isReturned || !Ability.tags.isPossible })
      #expect(names(observer).count == 8)
    }
  }

  @Test func directoriesAreAddedAndRemovedWhileItRuns() async throws {
    try await observe { observer, recorder in
      var changed = observer.configuration
      changed.directories.append(FilePath(folder.watched["disk/rest"]))
      changed.directories.removeAll { $0 == FilePath(folder.watched["home/docs"]) }
      let mark = recorder.position
      try observer.reconfigure(changed)
      try await recorder.awaitChange("the other directory", from: mark) { $0.path.string.hasSuffix("disk/rest") }
      await observer.synchronize()
      #expect(names(observer) == ["disk", "disk/pics", "disk/pics/c.txt", "disk/rest"])
      let deleted = recorder.changes(from: mark).filter { $0.kind == .deleted }
      #expect(deleted.count == 5 && deleted.allSatisfy { $0.deletionReason == .movedOut })
      try folder.watched.write("disk/rest/new")
      await observer.synchronize()
      #expect(names(observer).contains("disk/rest/new"))
      changed.directories.append(FilePath(folder.outside.path))
      let error = #expect(throws: FileSystemObserverError.self) { try observer.reconfigure(changed) }
      #expect(error?.code == .alreadyRunning)
    }
  }

  @Test func aDirectoryWithAHiddenName() async throws {
    try folder.watched.makeDirectories("home/.notes")
    try folder.watched.write("home/.notes/a")
    try folder.watched.write("home/.notes/.b")
    var configuration = configuration
    configuration.directories.append(FilePath(folder.watched["home/.notes"]))
    try await observe(configuration) { observer, _ in
      #expect(names(observer).filter { $0.contains(".notes") } == ["home/.notes", "home/.notes/a"])
    }
  }

  @Test func acrossFileSystems() async throws {
    guard Ability.tags.isPossible, let memory = try? TestFolder("several", in: "/dev/shm") else {
      try Test.cancel("there is no file system in memory with tags here")
    }
    var configuration = configuration
    configuration.directories = [FilePath(folder.watched["home/docs"]), FilePath(memory.watched.path)]
    #expect(configuration.directory.components.isEmpty)
    try await observe(configuration) { observer, recorder in
      let uuid = try #require(observer[FilePath(folder.watched["home/docs/a.txt"])]).uuid
      let mark = recorder.position
      try Command.run("mv", folder.watched["home/docs/a.txt"], memory.watched["a.txt"])
      await observer.synchronize()
      #expect(recorder.changes(from: mark).filter { $0.kind != .copyFinished }.map(\.kind) == [.moved])
      #expect(observer[uuid]?.path == FilePath(memory.watched["a.txt"]))
    }
  }

  // MARK: - Configurations

  @Test func theNearestDirectoryHasThemAll() throws {
    func directory(_ paths: FilePath...) -> FilePath {
      FileSystemObserver.Configuration(directories: paths).directory
    }
    #expect(directory("/a/b/c", "/a/b/d") == "/a/b" && directory("/a/b", "/c") == "/" && directory("/a/b") == "/a/b")
    #expect(directory("/a/b", "/a/bc") == "/a" && directory("/a/b", "/a/b/c") == "/a/b")
    var configuration = FileSystemObserver.Configuration(directories: ["/a/b", "/a/b/c"])
    #expect(configuration.directories == ["/a/b"])
    configuration.directories = ["/a/b/x", "/a/b/y"]
    #expect(configuration.directory == "/a/b" && configuration.directories.count == 2)
    let decoded = try JSONDecoder().decode(
      FileSystemObserver.Configuration.self, from: JSONEncoder().encode(configuration))
    #expect(decoded == configuration)
  }

  @Test func whatIsRefused() throws {
    try folder.watched.symlink(folder.watched["home/docs"], "home/link")
    var deep = configuration
    deep.depth = 2
    var linked = configuration
    linked.directories.append(FilePath(folder.watched["home/link"]))
    let relative = FileSystemObserver.Configuration(directories: ["a", "b"])
    for (configuration, word) in [
      (deep, "depth"), (linked, "symbolic link"), (relative, "slash"), (.init(directories: []), "names no folder"),
    ] {
      let error = #expect(throws: FileSystemObserverError.self) { try FileSystemObserver(configuration).start() }
      #expect(error?.code == .invalidArgument && error?.message.contains(word) == true, "\(word)")
    }
  }
}
