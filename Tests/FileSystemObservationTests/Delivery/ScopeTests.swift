import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import ReplayModel
import SystemPackage
import TestTraits
import Testing

/// What a listener gets that asked for a part of the tree, of real files.
@Suite(.light) struct ScopeTests {
  /// Listeners for the folder `x/d`, for all below it, and for the document in it.
  private final class Listeners {
    private let observed: ObservedFolder
    private struct Listener {
      var scope: FileSystemObserver.Scope
      var queue: FileSystemObserver.EventQueue
      var replay = PathReplay()
      var tree: FileSystemTree
    }

    private var all: [Listener] = []

    init(_ observed: ObservedFolder) throws {
      self.observed = observed
      let folder = try #require(observed.observer[FilePath(observed.root["x/d"])]?.uuid)
      let document = try #require(observed.observer[FilePath(observed.root["x/d/b.txt"])]?.uuid)
      for scope in [FileSystemObserver.Scope.folder(folder), .subtree(folder), .item(document)] {
        let queue = try observed.observer.makeEventQueue(of: scope)
        all.append(Listener(scope: scope, queue: queue, tree: FileSystemTree(directory: observed.observer.directory)))
        _ = take(all.count - 1)
      }
    }

    /// What each was told since the last time, and what it has made of that is what is in its scope.
    func told(_ location: SourceLocation = #_sourceLocation) async throws -> [[String]] {
      await observed.observer.synchronize()
      return try all.indices.map { index in
        let told = take(index)
        let there = try state(of: all[index].scope)
        #expect(all[index].replay == PathReplay(there), sourceLocation: location)
        expect(all[index].tree, there, location)
        #expect(all[index].replay.contradictions == [], sourceLocation: location)
        return told
      }
    }

    /// A tree has the items of a scope, and no others.
    private func expect(_ tree: FileSystemTree, _ scope: FileSystemSnapshot, _ location: SourceLocation) {
      #expect(tree == FileSystemTree(scope), sourceLocation: location)
      #expect(tree.count == scope.count && Array(tree).count == scope.count, sourceLocation: location)
      #expect(PathReplay(tree) == PathReplay(scope), sourceLocation: location)
      for item in scope {
        #expect(tree[item.path]?.uuid == item.uuid && tree[item.uuid]?.path == item.path, sourceLocation: location)
        #expect(tree[item.uuid]?.parent == item.parent, sourceLocation: location)
      }
    }

    private func take(_ index: Int) -> [String] {
      var told: [String] = []
      all[index].queue.drain { event in
        all[index].replay.apply(event)
        all[index].tree.apply(event)
        if case .didChange(let set) = event { told += set.map(observed.describe) }
      }
      return told
    }

    private func state(of scope: FileSystemObserver.Scope) throws -> FileSystemSnapshot {
      guard case .reset(let snapshot, _)? = try observed.observer.makeEventQueue(of: scope).next() else {
        throw TimedOut("the state of a scope")
      }
      return snapshot
    }
  }

  private func begin() async throws -> (ObservedFolder, Listeners) {
    let observed = try await ObservedFolder.begin { folder in
      for name in ["x/d/e", "g"] { try folder.watched.makeDirectories(name) }
      for name in ["a.txt", "x/d/b.txt", "x/d/e/c.txt", "g/h.txt"] { try folder.watched.write(name) }
    }
    await observed.observer.synchronize()
    return (observed, try Listeners(observed))
  }

  /// The folders above a part are no items of its tree.
  @Test func theTreeOfAPartHasThatPartOnly() async throws {
    let (observed, _) = try await begin()
    let path = FilePath(observed.root["x"])
    let uuids = try ["x", "x/d"].map { try #require(observed.observer[FilePath(observed.root[$0])]?.uuid) }
    let queue = try observed.observer.makeEventQueue(of: .folder(uuids[1]))
    guard case .reset(let part, _)? = queue.next() else { throw TimedOut("the state of a scope") }
    let tree = FileSystemTree(part)
    #expect(Set(tree.map { observed.relative($0.path) }) == ["x/d", "x/d/b.txt", "x/d/e"] && tree.count == 3)
    #expect(tree[path] == nil && tree[uuids[0]] == nil && tree.names(of: uuids[0]) == [])
    #expect(tree.children(of: path).map(\.uuid) == [uuids[1]] && tree.children(of: tree.directory) == [])
    #expect(tree[path.appending("d/e")]?.childCount == 1 && tree[path.appending("d/e/c.txt")] == nil)
    #expect(tree != FileSystemTree(observed.observer.snapshot()))
    let root = try #require(observed.observer[observed.observer.directory]?.uuid)
    guard case .reset(let all, _)? = try observed.observer.makeEventQueue(of: .subtree(root)).next() else {
      throw TimedOut("the state of a scope")
    }
    #expect(FileSystemTree(all) == FileSystemTree(observed.observer.snapshot()))
  }

  /// A listener of a part that is there before the start.
  @Test func theTreeOfAPartAfterAFirstScan() async throws {
    let (observed, _) = try await begin()
    let folder = try #require(observed.observer[FilePath(observed.root["x/d"])]?.uuid)
    let queue = try observed.observer.makeEventQueue(startingWith: .now, of: .subtree(folder))
    await observed.observer.stop()
    try await observed.observer.start()
    await observed.observer.synchronize()
    var tree = FileSystemTree(directory: observed.observer.directory)
    queue.drain { tree.apply($0) }
    #expect(Set(tree.map { observed.relative($0.path) }) == ["x/d", "x/d/b.txt", "x/d/e", "x/d/e/c.txt"])
    try observed.root.rename("x", "y")
    await observed.observer.synchronize()
    queue.drain { tree.apply($0) }
    #expect(Set(tree.map { observed.relative($0.path) }) == ["y/d", "y/d/b.txt", "y/d/e", "y/d/e/c.txt"])
  }

  @Test func whatFollowsADirectoryIsInTheScope() async throws {
    let (observed, _) = try await begin()
    let folder = try #require(observed.observer[FilePath(observed.root["x/d"])]?.uuid)
    let queues = try [FileSystemObserver.Scope.folder(folder), .subtree(folder)].map { scope in
      try observed.observer.makeEventQueue(startingWith: .now, of: scope)
    }
    try observed.root.rename("x/d", "x/f")
    await observed.observer.synchronize()
    let followers = queues.map { queue -> [String] in
      var found: [String] = []
      queue.drain { event in
        guard case .didChange(let set) = event else { return }
        for change in set { found += set.movesBelow(change).map { observed.relative($0.path) } }
      }
      return found.sorted()
    }
    #expect(followers == [["x/f/b.txt", "x/f/e"], ["x/f/b.txt", "x/f/e", "x/f/e/c.txt"]])
  }

  @Test func whatEntersIsDiscoveredWithWhatIsInIt() async throws {
    let (observed, listeners) = try await begin()
    try observed.root.rename("a.txt", "x/d/a.txt")
    #expect(try await listeners.told() == [["discovered x/d/a.txt"], ["discovered x/d/a.txt"], []])
    try observed.root.rename("g", "x/d/g")
    #expect(
      try await listeners.told() == [["discovered x/d/g"], ["discovered x/d/g", "discovered x/d/g/h.txt"], []])
  }

  @Test func whatLeavesIsDeletedWithWhatIsInIt() async throws {
    let (observed, listeners) = try await begin()
    try observed.root.rename("x/d/e", "e")
    #expect(
      try await listeners.told() == [
        ["deleted(movedOut) x/d/e"], ["deleted(movedOut) x/d/e/c.txt", "deleted(movedOut) x/d/e"], [],
      ])
    try observed.root.rename("x/d/b.txt", "b.txt")
    let gone = ["deleted(movedOut) x/d/b.txt"]
    #expect(try await listeners.told() == [gone, gone, ["moved x/d/b.txt -> b.txt"]])
  }

  /// For the folder it is gone, for all below it has moved.
  @Test func whatGoesDeeperLeavesTheFolderOnly() async throws {
    let (observed, listeners) = try await begin()
    try observed.root.rename("x/d/b.txt", "x/d/e/b.txt")
    let move = ["moved x/d/b.txt -> x/d/e/b.txt"]
    #expect(try await listeners.told() == [["deleted(movedOut) x/d/b.txt"], move, move])
    try observed.root.rename("x/d/e/c.txt", "x/d/c.txt")
    #expect(
      try await listeners.told() == [["discovered x/d/c.txt"], ["moved x/d/e/c.txt -> x/d/c.txt"], []])
  }

  @Test func aScopeMovesWithTheFolderAboveIt() async throws {
    let (observed, listeners) = try await begin()
    try observed.root.rename("x", "y")
    let move = ["moved x/d -> y/d"]
    #expect(try await listeners.told() == [move, move, ["moved x/d/b.txt -> y/d/b.txt"]])
    try observed.root.rename("y/d", "d")
    let next = ["moved y/d -> d"]
    #expect(try await listeners.told() == [next, next, ["moved y/d/b.txt -> d/b.txt"]])
  }

  @Test func aScopeThatLeavesTheTreeAndComesBackGoesOn() async throws {
    let (observed, listeners) = try await begin()
    try observed.root.rename("x", "\(observed.outside.path)/x")
    let gone = try await listeners.told()
    #expect(
      gone.map(\.count) == [3, 4, 1] && gone.joined().allSatisfy { $0.hasPrefix("deleted(movedOut) ") }, "\(gone)")
    try observed.root.rename("\(observed.outside.path)/x", "z")
    let back = try await listeners.told()
    #expect(back[2].filter { $0.hasPrefix("discovered(returned) ") } == ["discovered(returned) z/d/b.txt"], "\(back)")
  }

  @Test func oneDocumentIsFollowed() async throws {
    let (observed, listeners) = try await begin()
    try observed.root.rename("x/d/b.txt", "x/d/b2.txt")
    #expect(try await listeners.told().last == ["renamed x/d/b.txt -> x/d/b2.txt"])
    try observed.root.write("x/d/.b.tmp")
    try observed.root.rename("x/d/.b.tmp", "x/d/b2.txt")
    #expect(try await listeners.told().last == ["modified x/d/b2.txt"])
    try observed.root.unlink("x/d/b2.txt")
    #expect(try await listeners.told().last == ["deleted(removed) x/d/b2.txt"])
  }

  @Test func nothingIsAnnouncedOfTheRest() async throws {
    let (observed, listeners) = try await begin()
    try observed.root.rename("a.txt", "g/a.txt")
    try observed.root.write("x/new.txt")
    try observed.root.unlink("g/h.txt")
    #expect(try await listeners.told() == [[], [], []])
  }
}
