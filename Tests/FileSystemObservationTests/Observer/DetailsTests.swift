import FileSystemObservation
import FoundationEssentials
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// What a listener gets who asks for more than the changes of the tree.
@Suite(.light) struct DetailsTests {
  private func begin(_ source: TestSource? = nil) async throws -> ObservedFolder {
    let options = FileSystemObserver.Configuration()
    let observed = try await ObservedFolder.begin(options: source?.applied(to: options) ?? options) { folder in
      try folder.watched.makeDirectories("d/e")
      for name in ["a.txt", "d/b.txt", "d/e/c.txt"] { try folder.watched.write(name) }
    }
    await observed.observer.synchronize()
    return observed
  }

  private func queue(
    _ observed: ObservedFolder, _ details: FileSystemObserver.Details, of scope: FileSystemObserver.Scope = .all
  ) async throws -> FileSystemObserver.EventQueue {
    let queue = try observed.observer.makeEventQueue(startingWith: .now, of: scope, including: details)
    await observed.observer.synchronize()
    queue.drain { _ in }
    return queue
  }

  private func changes(_ queue: FileSystemObserver.EventQueue) -> [FileSystemChange] {
    var changes: [FileSystemChange] = []
    queue.drain { if case .didChange(let set) = $0 { changes += Array(set) } }
    return changes
  }

  @Test(arguments: TestSource.toTest)
  func eachAttributeIsNamed(_ source: TestSource) async throws {
    let observed = try await begin(source)
    let queue = try await queue(observed, .attributes)
    let mark = observed.recorder.position
    func expect(
      _ name: String, _ wanted: FileSystemChange.ChangedAttributes, _ location: SourceLocation = #_sourceLocation
    ) async {
      await observed.observer.synchronize()
      let told = changes(queue)
      #expect(told.map(\.changedAttributes) == [wanted], sourceLocation: location)
      #expect(told.map { observed.relative($0.path) } == [name], sourceLocation: location)
    }
    try observed.root.chmod("a.txt", 0o600)
    await expect("a.txt", .init(permissions: true))
    if Ability.tags.isPossible {
      try observed.root.setAttribute("user.xdg.tags", of: "d/b.txt", to: "holiday")
      await expect("d/b.txt", .init(names: ["user.xdg.tags"]))
      try observed.root.setAttribute("user.xdg.tags", of: "d/b.txt", to: "winter")
      await expect("d/b.txt", .init(names: ["user.xdg.tags"]))
      try observed.root.setAttribute("user.rating", of: "d", to: "5")
      await expect("d", .init(names: ["user.rating"]))
    }
    if geteuid() == 0 {
      _ = unsafe chown(observed.root["d/e/c.txt"], 1, 1)
      await expect("d/e/c.txt", .init(owner: true))
    }
    // Nobody else is told, and the tree is the same.
    #expect(observed.said(from: mark) == [])
    #expect(observed.differences() == [])
  }

  /// They are compared with those at the moment in which the listener was added.
  @Test(arguments: TestSource.toTest)
  func nothingIsMissedAfterTheListenerWasAdded(_ source: TestSource) async throws {
    let observed = try await begin(source)
    for permissions in [0o600, 0o640, 0o600] as [UInt32] {
      let queue = try observed.observer.makeEventQueue(startingWith: .now, including: .attributes)
      try observed.root.chmod("a.txt", permissions)
      await observed.observer.synchronize()
      #expect(changes(queue).map(\.changedAttributes) == [.init(permissions: true)])
    }
  }

  @Test func whatArrivesLaterIsFollowed() async throws {
    let observed = try await begin()
    let queue = try await queue(observed, .attributes)
    try observed.root.write("new.txt")
    await observed.observer.synchronize()
    #expect(changes(queue).filter { $0.kind == .attributesChanged } == [])
    try observed.root.chmod("new.txt", 0o640)
    await observed.observer.synchronize()
    let told = changes(queue)
    #expect(told.map(\.changedAttributes) == [.init(permissions: true)], "\(told)")
  }

  @Test func aTimeSetByHandIsAModification() async throws {
    let observed = try await begin()
    let queue = try await queue(observed, .attributes)
    try Command.run("touch", "-d", "2001-02-03", observed.root["a.txt"])
    await observed.observer.synchronize()
    #expect(changes(queue).map(\.event) == [.modified])
  }

  @Test func activityComesBeforeTheChange() async throws {
    let observed = try await begin()
    let queue = try await queue(observed, .activity)
    try observed.root.append("a.txt")
    try observed.root.unlink("d/b.txt")
    await observed.observer.synchronize()
    let told = changes(queue)
    #expect(told.prefix(2).map(\.event) == [.activity, .activity])
    #expect(Set(told.prefix(2).map { observed.relative($0.path) }) == ["a.txt", "d/b.txt"])
    #expect(Set(told.dropFirst(2).map(\.event)) == [.modified, .deleted(.removed)])
  }

  @Test func whatIsDecidedAtOnceIsNoActivity() async throws {
    let observed = try await begin()
    let queue = try await queue(observed, .activity)
    try observed.root.rename("a.txt", "b.txt")
    await observed.observer.synchronize()
    #expect(changes(queue).map(\.kind) == [.renamed])
  }

  @Test func onlyTheScopeIsTold() async throws {
    let observed = try await begin()
    let folder = try #require(observed.observer[FilePath(observed.root["d"])]?.uuid)
    let subtree = try await queue(observed, .attributes, of: .subtree(folder))
    let children = try await queue(observed, .attributes, of: .folder(folder))
    for name in ["a.txt", "d/b.txt", "d/e/c.txt"] { try observed.root.chmod(name, 0o600) }
    await observed.observer.synchronize()
    #expect(Set(changes(subtree).map { observed.relative($0.path) }) == ["d/b.txt", "d/e/c.txt"])
    #expect(changes(children).map { observed.relative($0.path) } == ["d/b.txt"])
  }

  @Test func aTreeIgnoresDetails() async throws {
    let observed = try await begin()
    let queue = try observed.observer.makeEventQueue(including: [.attributes, .activity])
    var tree = FileSystemTree(directory: observed.observer.directory)
    await observed.observer.synchronize()
    try observed.root.chmod("a.txt", 0o600)
    try observed.root.append("a.txt")
    try observed.root.rename("d", "f")
    await observed.observer.synchronize()
    queue.drain { tree.apply($0) }
    #expect(tree == FileSystemTree(observed.observer.snapshot()))
  }
}
