import FileSystemObservation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// The observed directory is renamed or moved, and observed where it is then.
@Suite(.light) struct RootFollowTests {
  private func begin(_ source: TestSource, at name: String = "vault") async throws -> (ObservedFolder, Folder) {
    var options = source.applied(to: FileSystemObserver.Configuration())
    options.rootLossPolicy = .follow
    let folder = try TestFolder()
    try folder.watched.mkdir("d")
    try folder.watched.write("d/a.txt")
    let observed = ObservedFolder(folder, options: options)
    try await observed.start()
    return (observed, folder.outside)
  }

  private func awaitMove(_ observed: ObservedFolder, to path: String, from mark: Int) async throws {
    try await observed.recorder.await("the move to \(path)", from: mark) {
      if case .rootMoved(_, let new) = $0 { new.string == path } else { false }
    }
  }

  @Test(arguments: TestSource.toTest)
  func aMovedDirectoryIsObservedWhereItIs(_ source: TestSource) async throws {
    let (observed, outside) = try await begin(source)
    let uuid = try #require(observed.observer[FilePath(observed.root["d/a.txt"])]?.uuid)
    var mark = observed.recorder.position
    try observed.root.rename(observed.root.path, outside["moved"])
    try await awaitMove(observed, to: outside["moved"], from: mark)
    #expect(observed.observer.directory.string == outside["moved"])
    #expect(observed.observer[uuid]?.path.string == outside["moved/d/a.txt"])
    #expect(observed.recorder.changes(from: mark).isEmpty)
    mark = observed.recorder.position
    try outside.rename("moved/d/a.txt", "moved/b.txt")
    let told = try await observed.recorder.awaitChange("the rename", from: mark) { $0.uuid == uuid }
    #expect(told.path.string == outside["moved/b.txt"])
    #expect(told.previousPath?.string == outside["moved/d/a.txt"])
    #expect(observed.observer.snapshot().directory.string == outside["moved"])
  }

  @Test func itIsFollowedAgainAndAgain() async throws {
    let (observed, outside) = try await begin(.inotify)
    var path = observed.root.path
    for number in 0..<20 {
      let mark = observed.recorder.position
      try outside.makeDirectories("above\(number)")
      try observed.root.rename(path, outside["above\(number)/vault"])
      try await awaitMove(observed, to: outside["above\(number)/vault"], from: mark)
      // And a directory above it.
      try outside.rename("above\(number)", "other\(number)")
      path = outside["other\(number)/vault"]
      try await awaitMove(observed, to: path, from: mark)
    }
    #expect(observed.observer.isRunning)
  }

  @Test func aTreeFollowsTheDirectory() async throws {
    let (observed, outside) = try await begin(.inotify)
    let queue = try observed.observer.makeEventQueue()
    var tree = FileSystemTree(directory: observed.observer.directory)
    queue.drain { tree.apply($0) }
    let mark = observed.recorder.position
    try observed.root.rename(observed.root.path, outside["moved"])
    try await awaitMove(observed, to: outside["moved"], from: mark)
    try outside.write("moved/new.txt")
    await observed.observer.synchronize()
    queue.drain { tree.apply($0) }
    #expect(tree == FileSystemTree(observed.observer.snapshot()))
    #expect(tree[FilePath(outside["moved/new.txt"])] != nil)
  }

  @Test func aRemovedDirectoryIsTheEnd() async throws {
    let (observed, _) = try await begin(.inotify)
    observed.root.removeTree()
    try await observed.recorder.await("the end") {
      if case .didEnd(let error) = $0 { error.code == .rootLost } else { false }
    }
    #expect(!observed.observer.isRunning)
  }
}
