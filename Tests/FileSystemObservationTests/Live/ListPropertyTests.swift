import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Lists while random operations on real files go on: at each quiet point they are what is on disk.
@Suite struct ListPropertyTests {
  @Test(.busy, .undisturbed, arguments: UInt64(1)...3)
  func listsAreAsOnDiskInTheEnd(_ seed: UInt64) async throws {
    let observed = try await ObservedFolder.begin("lists\(seed)") { try RandomWork.makeDocuments(in: $0.watched) }
    let work = try RandomWork(in: observed.folder, seed: seed, steps: 12) { try observed.identity($0) }
    await observed.observer.synchronize()
    var crowd = try ListCrowd(observed, seed: seed)
    let isDone = Feed<Document>()
    async let done: Void = {
      for document in try await work.run(since: .now) { isDone.append(document) }
    }()
    while isDone.count == 0 {
      crowd.turn()
      // The moments are those of chance.
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...30, using: &crowd.random)))
    }
    try await done
    #expect(try await observed.differencesInTheEnd() == [])
    await observed.observer.synchronize()
    let faults = try crowd.faults()
    #expect(faults == [], "seed \(seed)")
  }
}

/// Some lists of one observer, each with the rows that its changes have made.
private struct ListCrowd {
  private struct Listed {
    let list: FileSystemItemList
    let folder: UUID?
    let isDeep: Bool
    var ids: [FileSystemItem.ID]
    var objects: [FileSystemItem] = []

    /// Updates the list, and applies its changes to the rows known so far.
    mutating func update() -> [String] {
      guard let changes = list.update() else { return [] }
      let now = list.indices.map { list.snapshot(at: $0).id }
      guard let rows = ids.applying(changes.difference), rows == now else { return ["\(changes) do not give the rows"] }
      ids = now
      return []
    }
  }

  private let observed: ObservedFolder
  private var lists: [Listed] = []
  private var told: [String] = []
  var random: SplitMix64

  init(_ observed: ObservedFolder, seed: UInt64) throws {
    self.observed = observed
    random = SplitMix64(seed: seed)
    for folder in [nil] + observed.observer.snapshot().filter({ $0.kind == .directory }).map(Optional.some) {
      for isDeep in [false, true] { add(folder, isDeep: isDeep) }
    }
  }

  private mutating func add(_ folder: FileSystemItem.Snapshot?, isDeep: Bool) {
    let orders: [FileSystemItemList.Order] = [.name, .size.reversed(), .modificationDate, .kind, .name.foldersFirst()]
    let order = orders.randomElement(using: &random) ?? .name
    let (observer, path) = (observed.observer, folder?.path)
    let list =
      isDeep
      ? observer.itemList(below: path, sortedBy: order) : observer.itemList(forDirectoryAt: path, sortedBy: order)
    guard let list else { return }
    let ids = list.indices.map { list.snapshot(at: $0).id }
    lists.append(Listed(list: list, folder: folder?.uuid, isDeep: isDeep, ids: ids))
  }

  /// Updates some lists, and holds some of their objects.
  mutating func turn() {
    for index in lists.indices where random.chance(1, of: 3) {
      told += lists[index].update()
      if let object = lists[index].list.randomElement(using: &random) { lists[index].objects.append(object) }
    }
  }

  /// What is wrong in the end.
  mutating func faults() throws -> [String] {
    for index in lists.indices { told += lists[index].update() }
    let snapshot = observed.observer.snapshot()
    for listed in lists {
      told += faults(listed, snapshot)
      told += try listed.list.indices.compactMap { try fault(listed.list.snapshot(at: $0)) }
    }
    return Array(Set(told)).sorted()
  }

  private func faults(_ listed: Listed, _ snapshot: FileSystemSnapshot) -> [String] {
    let folder = listed.folder.map { snapshot[$0] } ?? snapshot[observed.observer.directory]
    guard let folder else { return listed.list.isEmpty && listed.list.folder == nil ? [] : ["a list has no folder"] }
    let wanted = listed.isDeep ? snapshot.filter { isBelow($0, folder) } : snapshot.children(of: folder.uuid)
    let rows = listed.list.indices.map { listed.list.snapshot(at: $0) }
    var faults: [String] = []
    if Set(rows.map(\.path)) != Set(wanted.map(\.path)) || rows.count != wanted.count {
      faults.append("\(folder): \(rows.map(\.relativePath)) are not \(wanted.map(\.relativePath))")
    }
    let anew =
      listed.isDeep
      ? observed.observer.itemList(below: folder.path, sortedBy: listed.list.order)
      : observed.observer.itemList(forDirectoryAt: folder.path, sortedBy: listed.list.order)
    if let anew, anew.indices.map({ anew.snapshot(at: $0).path }) != rows.map(\.path) {
      faults.append("\(folder): the rows are in another order than those of a new list")
    }
    for object in listed.objects where object.snapshot.nameCount == 1 {
      let current = snapshot[object.uuid]
      // One that has left its list only knows what has happened since when it is asked to.
      object.update()
      if object.isDeleted != (current == nil) || !object.isDeleted && object.path != current?.path {
        faults.append("\(object) is not \(current.map { "\($0)" } ?? "deleted")")
      }
    }
    return faults
  }

  private func isBelow(_ item: FileSystemItem.Snapshot, _ folder: FileSystemItem.Snapshot) -> Bool {
    item.relativePath != folder.relativePath && item.relativePath.starts(with: folder.relativePath)
  }

  /// What a row says that is not as on disk.
  private func fault(_ item: FileSystemItem.Snapshot) throws -> String? {
    let status = try observed.root.status(item.relativePath.string)
    if status.modified != item.modificationNanoseconds { return "\(item): another time" }
    return item.kind == .file && status.size != item.size ? "\(item): another size" : nil
  }
}
