import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Lists of a real tree in which a folder is moved by copying: its items go on in files with properties of their own.
@Suite(.light) struct CopiedFolderListTests {
  private static let orders: [FileSystemItemList.Order] = [.name, .modificationDate, .creationDate, .size]

  @Test func rowsThatGoOnInCopiesAreAsInAListMadeAnew() async throws {
    let observed = try await ObservedFolder.begin { folder in
      try folder.watched.makeDirectories("a/sub/deep")
      for name in ["a/old", "a/sub/1", "a/sub/deep/x", "other"] { try folder.watched.write(name) }
    }
    let observer = observed.observer
    await observer.synchronize()
    let lists = try Self.orders.map { try #require(observer.itemList(below: nil, sortedBy: $0)) }
    let inner = try #require(observer.itemList(forDirectoryAt: FilePath(observed.root["a/sub"])))
    let uuid = try observed.uuid("a/sub/deep")
    let object = try #require(observer.item(with: uuid))
    var tree = FileSystemTree(observer.snapshot())
    let queue = try observer.makeEventQueue(startingWith: .after(try #require(observer.snapshot().cursor)))
    try Command.run("cp", "-a", observed.root["a"], observed.root["b"])
    try await observed.settle()
    for list in lists + [inner] { list.update() }
    let before = lists.map(Self.states)

    for name in ["b/sub/2", "b/sub/deep/y"] { try observed.root.write(name) }
    try await observed.settle()
    try Command.run("rm", "-r", observed.root["a"])
    try await observed.settle()
    await observer.synchronize()
    #expect(try observed.uuid("b/sub/deep") == uuid)
    for (index, list) in lists.enumerated() {
      let changes = try #require(list.update())
      let told = Set((changes.modifications + changes.insertions).map { list[$0].id })
      for (id, state) in Self.states(list) where !told.contains(id) {
        #expect(before[index][id] == state, "\(list.order)")
      }
      let anew = try #require(observer.itemList(below: nil, sortedBy: list.order))
      #expect(list.indices.map(list.snapshot) == anew.indices.map(anew.snapshot), "\(list.order)")
    }
    inner.update()
    #expect(inner.indices.map(inner.snapshot) == inner.indices.map { observer[inner.snapshot(at: $0).uuid] })
    object.update()
    #expect(object.snapshot == observer[uuid] && object.childCount == 2)
    queue.drain { tree.apply($0) }
    // A folder's times are details, for which this queue does not ask.
    for item in observer.snapshot() where item.kind == .file { #expect(tree[item.uuid] == item) }
    #expect(tree[uuid] == observer[uuid])
  }

  /// What a row shows, besides its path.
  private static func states(_ list: FileSystemItemList) -> [FileSystemItem.ID: [Int64]] {
    let states = list.indices.map(list.snapshot).map { item in
      let count = Int64(item.childCount ?? -1)
      return (item.id, [item.size, item.modificationNanoseconds, item.creationNanoseconds ?? 0, count])
    }
    return Dictionary(states) { first, _ in first }
  }
}
