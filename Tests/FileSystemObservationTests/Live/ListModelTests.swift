import FileIdentity
import FileTestSupport
import FoundationEssentials
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Lists over random trees that are changed at random: after each update a list is as one that is made anew.
@Suite(.busy) struct ListModelTests {
  typealias Scope = FileSystemObserver.Scope

  @Test(arguments: 0..<20) func listsAreAsMadeAnew(_ part: Int) {
    for seed in 0..<10 {
      var world = ListWorld(seed: UInt64(part * 100 + seed))
      for step in 0..<100 where !world.step() { return #expect(Bool(false), "\(part * 100 + seed), step \(step)") }
    }
  }
}

/// A tree with some lists of it.
private struct ListWorld {
  /// A row, as far as it does not depend on names outside of the list.
  private struct Row: Hashable {
    var uuid: UUID
    var path: FilePath
    var content: [Int64]
    var parent: UUID?
  }

  private struct Listed {
    var model: ListModel
    var order: FileSystemItemList.Order
    var ids: [FileSystemItem.ID]
  }

  private var graph: RandomGraph
  private var lists: [Listed] = []
  private var sequence: UInt64 = 1
  private static let filter: ListModel.Filter = { $0.path.string.utf8.count % 3 != 0 }

  init(seed: UInt64) {
    graph = RandomGraph(seed: seed)
    graph.losesItems = seed % 2 == 0
    for _ in 0..<4 { lists.append(list()) }
  }

  private mutating func list() -> Listed {
    let directory = graph.pick(graph.worked.directories) ?? .root
    let uuid = directory == .root ? nil : graph.worked.graph[directory].uuid
    let order = graph.pick(RowOrderingTests.orders) ?? .name
    let filter = graph.random.chance(1, of: 3) ? Self.filter : nil
    let model = model(uuid, isDeep: graph.random.chance(2, of: 3), order, filter)
    return Listed(model: model, order: order, ids: model.ids)
  }

  private func model(
    _ uuid: UUIDBits?, isDeep: Bool, _ order: FileSystemItemList.Order, _ filter: ListModel.Filter?
  ) -> ListModel {
    let snapshot = FileSystemSnapshot(graph.worked.graph.storage, sequence: sequence, directory: "/T")
    return ListModel(snapshot, below: uuid, isDeep: isDeep, order: order, filter: filter)
  }

  /// One set of changes; whether all lists that were updated are right.
  mutating func step() -> Bool {
    sequence += 1
    let sets = graph.changes(for: lists.map(\.model.scope), sequence)
    for (index, set) in sets.enumerated() {
      if !set.isEmpty { lists[index].model.take(.didChange(set)) { fatalError("nothing is read anew") } }
      changeSettings(of: index)
      // Some updates take several sets.
      if graph.random.chance(1, of: 2), !update(index) { return false }
    }
    if graph.random.chance(1, of: 30) { lists[0] = list() }
    return true
  }

  private mutating func changeSettings(of index: Int) {
    if graph.random.chance(1, of: 10) {
      lists[index].order = graph.pick(RowOrderingTests.orders) ?? .name
      lists[index].model.setOrder(lists[index].order)
    }
    if graph.random.chance(1, of: 10) {
      lists[index].model.setFilter(lists[index].model.filter == nil ? Self.filter : nil)
    }
    if graph.random.chance(1, of: 20) {
      lists[index].model.readAnew(
        FileSystemSnapshot(graph.worked.graph.storage, sequence: sequence, directory: "/T"))
    }
  }

  private mutating func update(_ index: Int) -> Bool {
    let former = lists[index].ids
    let update = lists[index].model.finishUpdate()
    let (model, order) = (lists[index].model, lists[index].order)
    lists[index].ids = model.ids
    let anew = self.model(model.directoryUUID, isDeep: model.isDeep, order, model.filter)
    let isSame = rows(model) == rows(anew) && model.tree.isPresent == anew.tree.isPresent
    #expect(isSame, "\(model.scope), \(order): \(difference(rows(model), rows(anew)))")
    let changes = update?.changes ?? FileSystemItemList.Changes()
    let isTold = RowDifferenceTests.gives(changes, former, model.ids)
    #expect(isTold, "\(changes)")
    let areFewest = changes.moves.count == leastMoves(former, model.ids)
    #expect(areFewest, "\(changes)")
    return isSame && isTold && areFewest
  }

  private func difference(_ rows: [Row], _ anew: [Row]) -> String {
    let missing = Set(anew).subtracting(rows).map { "missing \($0)" }
    let wrong = Set(rows).subtracting(anew).map { "wrong \($0)" }
    let isInOrder = rows.map(\.path) == anew.map(\.path)
    return ((missing + wrong).sorted() + (isInOrder ? [] : ["\(rows.map(\.path)) != \(anew.map(\.path))"])).joined(
      separator: "\n")
  }

  /// How many rows must move, found the long way.
  private func leastMoves(_ before: [FileSystemItem.ID], _ after: [FileSystemItem.ID]) -> Int {
    let places = Dictionary(zip(after, after.indices)) { first, _ in first }
    let row = before.compactMap { places[$0] }
    var lengths: [Int] = []
    for (index, place) in row.enumerated() {
      lengths.append(1 + (lengths.indices.lazy.filter { $0 < index && row[$0] < place }.map { lengths[$0] }.max() ?? 0))
    }
    return row.count - (lengths.max() ?? 0)
  }

  private func rows(_ model: ListModel) -> [Row] {
    model.rows.all.map { id in
      let item = model.tree.snapshot(id)
      // An item that is written, lost and found in one set may be told as if nothing had happened.
      let knowsContent = !graph.losesItems
      return Row(
        uuid: item.uuid, path: item.path,
        content: [
          knowsContent ? item.size : 0, knowsContent ? item.modificationNanoseconds : 0, item.isCopying ? 1 : 0,
          item.kind == .directory ? 1 : 0,
          model.isDeep ? Int64(item.childCount ?? 0) : 0,
        ], parent: item.parent)
    }
  }
}

extension ListModel {
  fileprivate var ids: [FileSystemItem.ID] { rows.all.map { tree.id(of: $0) } }
}
