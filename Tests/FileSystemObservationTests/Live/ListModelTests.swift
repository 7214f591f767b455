import FileIdentity
import FileTestSupport
import FoundationEssentials
import LinuxFileSystem
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

/// What an app knows of items.
private final class Notes: Sendable {
  private let values = Mutex<[UUID: Double]>([:])

  subscript(uuid: UUID) -> Double? {
    get { values.withLock { $0[uuid] } }
    set { values.withLock { $0[uuid] = newValue } }
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
    var paths: [FileSystemItem.ID: FilePath]
    var rows: [FileSystemItem.ID: Row]
  }

  private var graph: RandomGraph
  private var lists: [Listed] = []
  private var sequence: UInt64 = 1
  private let notes = Notes()
  private let orders: [FileSystemItemList.Order]
  private let filters: [ListModel.Filter]

  init(seed: UInt64) {
    let notes = notes
    orders =
      RowOrderingTests.orders + [
        .number { notes[$0] }, .number { notes[$0] }.reversed().foldersFirst(),
        .text { uuid in notes[uuid].map { $0 < 0 ? "" : "n\($0)" } }.then(.number { notes[$0] }),
      ]
    filters = [{ $0.path.string.utf8.count % 3 != 0 }, { (notes[$0.uuid] ?? 1) > 0 }]
    graph = RandomGraph(seed: seed)
    graph.losesItems = seed % 2 == 0
    for _ in 0..<4 { lists.append(list()) }
  }

  private mutating func list() -> Listed {
    let directory = graph.pick(graph.worked.directories) ?? .root
    let uuid = directory == .root ? nil : graph.worked.graph[directory].uuid
    let order = graph.pick(orders) ?? .name
    let filter = graph.random.chance(1, of: 2) ? graph.pick(filters) : nil
    let model = model(uuid, isDeep: graph.random.chance(2, of: 3), order, filter)
    return Listed(model: model, order: order, ids: model.ids, paths: model.paths, rows: rowsByID(model))
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
    if graph.random.chance(1, of: 3) { changeNotes() }
    let sets = graph.changes(for: lists.map(\.model.scope), sequence)
    for (index, set) in sets.enumerated() {
      if !set.isEmpty { lists[index].model.take(.didChange(set)) { fatalError("nothing is read anew") } }
      takeDetails(index)
      changeSettings(of: index)
      // Some updates take several sets.
      if graph.random.chance(1, of: 2), !update(index) { return false }
    }
    if graph.random.chance(1, of: 30) { lists[0] = list() }
    return true
  }

  /// Changes what the app knows of some items, which may have gone.
  private mutating func changeNotes() {
    let uuids = (0..<Int.random(in: 1...4, using: &graph.random)).compactMap { _ in
      graph.pick(Array(graph.worked.graph.storage.liveIDs)).map { graph.worked.graph[$0].uuid }
    }
    for uuid in uuids { notes[UUID(uuid)] = graph.pick([nil, -.infinity, -2.5, -0.0, 0, 1, 2, 1e300]) ?? nil }
    for index in lists.indices { lists[index].model.reload(uuids) }
  }

  private mutating func takeDetails(_ index: Int) {
    let details = graph.worked.details.filter { $0.isIn(lists[index].model.scope) }.map(\.change)
    if details.isEmpty { return }
    let set = FileSystemChanges(details: details, sequence: sequence, directory: "/T", epoch: 0)
    lists[index].model.take(.didChange(set)) { fatalError("nothing is read anew") }
  }

  private mutating func changeSettings(of index: Int) {
    if graph.random.chance(1, of: 10) {
      lists[index].order = graph.pick(orders) ?? .name
      lists[index].model.setOrder(lists[index].order)
    }
    if graph.random.chance(1, of: 10) {
      lists[index].model.setFilter(lists[index].model.filter == nil ? graph.pick(filters) : nil)
    }
    if graph.random.chance(1, of: 20) {
      lists[index].model.readAnew(
        FileSystemSnapshot(graph.worked.graph.storage, sequence: sequence, directory: "/T"))
    }
  }

  private mutating func update(_ index: Int) -> Bool {
    let formerIDs = lists[index].ids
    let update = lists[index].model.finishUpdate()
    let (model, order) = (lists[index].model, lists[index].order)
    lists[index].ids = model.ids
    let anew = self.model(model.directoryUUID, isDeep: model.isDeep, order, model.filter)
    let isSame = rows(model) == rows(anew) && model.tree.isPresent == anew.tree.isPresent
    #expect(isSame, "\(model.scope), \(order): \(difference(rows(model), rows(anew)))")
    let changes = update?.changes ?? FileSystemItemList.Changes()
    let isTold = RowDifferenceTests.gives(changes, formerIDs, model.ids)
    #expect(isTold, "\(changes)")
    let areFewest = changes.moves.count == leastMoves(formerIDs, model.ids)
    #expect(areFewest, "\(changes)")
    let former = lists[index].paths
    lists[index].paths = model.paths
    let untold = model.ids.enumerated().filter { row, id in
      former[id] != nil && former[id] != model.paths[id] && !changes.modifications.contains(row)
    }
    let arePathsTold = untold.isEmpty || changes.pathsChanged
    #expect(arePathsTold, "\(changes): \(untold)")
    let areRowsTold = areRowsTold(lists[index].rows, model, changes)
    lists[index].rows = rowsByID(model)
    // In a list of one folder, only that folder gives its rows other paths.
    let isNeeded = model.isDeep || !untold.isEmpty || changes.folderEvent != nil || !changes.pathsChanged
    #expect(isNeeded, "\(changes)")
    return isSame && isTold && areFewest && arePathsTold && isNeeded && areRowsTold
  }

  /// Whether the modifications have all rows that differ from before, besides their paths.
  private func areRowsTold(
    _ former: [FileSystemItem.ID: Row], _ model: ListModel, _ changes: FileSystemItemList.Changes
  ) -> Bool {
    let now = rows(model)
    let untold = model.ids.indices.filter { row in
      guard let old = former[model.ids[row]], !changes.modifications.contains(row) else { return false }
      return old.content != now[row].content || old.parent != now[row].parent
    }
    let texts = untold.map { "\(former[model.ids[$0]].map(String.init(describing:)) ?? "") -> \(now[$0])" }
    #expect(texts == [], "\(changes)")
    return untold == []
  }

  private func rowsByID(_ model: ListModel) -> [FileSystemItem.ID: Row] {
    Dictionary(zip(model.ids, rows(model))) { first, _ in first }
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
      return Row(
        uuid: item.uuid, path: item.path,
        content: [
          item.size, item.modificationNanoseconds, item.creationNanoseconds ?? 0, item.isCopying ? 1 : 0,
          item.kind == .directory ? 1 : 0,
          model.isDeep ? Int64(item.childCount ?? 0) : 0,
        ], parent: item.parent)
    }
  }
}

extension ListModel {
  fileprivate var ids: [FileSystemItem.ID] { rows.all.map { tree.id(of: $0) } }

  fileprivate var paths: [FileSystemItem.ID: FilePath] {
    Dictionary(rows.all.map { (tree.id(of: $0), tree.snapshot($0).path) }) { first, _ in first }
  }
}
