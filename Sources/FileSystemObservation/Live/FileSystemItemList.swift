import FileIdentity
public import FoundationEssentials
import LinuxFileSystem
public import Observation
import SystemPackage

/// The items of one directory, or of everything below it, as the rows of a table: ordered, filtered and up to date.
///
/// ```swift
/// let list = observer.itemList(forDirectoryAt: path, sortedBy: .name.foldersFirst())
/// let token = list?.addNotificationBlock { list, changes in table.apply(changes.splices) }
/// ```
///
/// The list is complete from the beginning. It changes in ``update()`` and at no other moment, by everything that has
/// happened since the last update. It follows its directory when that is renamed or moved, and does not access the
/// disk.
///
/// The cost of a change hardly depends on the number of rows. A row takes about 130 bytes, in a list of the whole tree
/// about 45. The ``FileSystemItem`` of a row is made on access, and there is one object for each item on one actor;
/// ``snapshot(at:)`` makes none.
///
/// A list belongs to the actor that made it, or to the task or thread if none did: it is not `Sendable`.
public final class FileSystemItemList {
  /// The observer; `nil` once it is deallocated.
  public private(set) weak var observer: FileSystemObserver?

  var model: ListModel
  let feed: LiveFeed
  let table: LiveItemTable
  let registrar = ObservationRegistrar()
  /// Changes that a block has not been given yet become one with later ones: the list is ahead of them.
  let blocks = LiveBlocks<(FileSystemItemList, Changes)> { ($1.0, $1.0.merged($0.1, $1.1)) }
  /// Whether a task updates the list.
  var isFollowed = false
  private var currentOrder: Order
  private var currentFilter: (@Sendable (FileSystemItem.Snapshot) -> Bool)?
  private var folderItem: FileSystemItem?

  /// Makes a list.
  ///
  /// - Parameter directory: The UUID of the directory; `nil` for the observed one.
  init(
    of directory: UUID?, isDeep: Bool, order: Order, filter: (@Sendable (FileSystemItem.Snapshot) -> Bool)?,
    feed: LiveFeed, table: LiveItemTable, observer: FileSystemObserver
  ) {
    self.observer = observer
    self.feed = feed
    self.table = table
    currentOrder = order
    currentFilter = filter
    let first = feed.next()
    var snapshot = FileSystemSnapshot(directory: observer.directory)
    if case .reset(let initial, _) = first { snapshot = initial }
    model = ListModel(
      snapshot, below: directory.map { UUIDBits($0) }, isDeep: isDeep, order: order, filter: filter)
    // What was announced meanwhile is part of the beginning.
    if feed.hasNews { _ = takeEvents() }
    _ = model.finishUpdate()
  }

  deinit {
    feed.end()
  }
}

@available(*, unavailable)
extension FileSystemItemList: Sendable {}

// MARK: - Rows

extension FileSystemItemList: RandomAccessCollection {
  /// The index of the first row.
  public var startIndex: Int { 0 }

  /// The index after the last row.
  public var endIndex: Int { count }

  /// The number of rows.
  public var count: Int {
    registrar.access(self, keyPath: \.count)
    return model.rows.count
  }

  /// The item of a row, which is made on access.
  ///
  /// The same item is the same object for as long as the app retains it.
  public subscript(index: Int) -> FileSystemItem {
    registrar.access(self, keyPath: \.count)
    precondition(index >= 0 && index < model.rows.count, "there is no such row")
    return item(of: model.rows[index])
  }

  /// The state of a row; no object is made.
  public func snapshot(at index: Int) -> FileSystemItem.Snapshot {
    registrar.access(self, keyPath: \.count)
    precondition(index >= 0 && index < model.rows.count, "there is no such row")
    return model.tree.snapshot(model.rows[index])
  }

  /// The row of an item; `nil` if it has none.
  public func index(of id: FileSystemItem.ID) -> Int? {
    registrar.access(self, keyPath: \.count)
    return model.tree.node(with: id).flatMap { model.rows.index(of: $0) }
  }

  /// The row of the item with a UUID, of its oldest name if it has several; `nil` if it has none.
  public func index(of uuid: UUID) -> Int? {
    registrar.access(self, keyPath: \.count)
    return model.tree.graph.node(with: UUIDBits(uuid)).flatMap { model.rows.index(of: $0) }
  }

  private func item(of node: NodeID) -> FileSystemItem {
    let id = model.tree.id(of: node)
    if let known = table[id] { return known }
    let item = FileSystemItem(model.tree.snapshot(node), model.tree.stamp, of: observer)
    item.list = self
    table.add(item)
    return item
  }
}

// MARK: - Settings

extension FileSystemItemList: Observable {
  /// The order of the rows.
  ///
  /// Another order takes effect in the next ``update()``, as part of its changes; only rows that must move do. With a
  /// notification block on an actor, that happens by itself.
  public var order: Order {
    get {
      registrar.access(self, keyPath: \.order)
      return currentOrder
    }
    set {
      guard newValue != currentOrder else { return }
      registrar.withMutation(of: self, keyPath: \.order) { currentOrder = newValue }
      model.setOrder(newValue)
      feed.wake()
    }
  }

  /// Which items are rows; all, if `nil`.
  ///
  /// Another filter takes effect in the next ``update()``, as part of its changes.
  ///
  /// The filter is called once for each item, and again when the item has changed or has another path. If its result
  /// depends on anything else, as on what the app knows of a document, call ``reloadItems(with:)`` when that has
  /// changed, or set the filter again.
  public var filter: (@Sendable (FileSystemItem.Snapshot) -> Bool)? {
    get {
      registrar.access(self, keyPath: \.filter)
      return currentFilter
    }
    set {
      registrar.withMutation(of: self, keyPath: \.filter) { currentFilter = newValue }
      model.setFilter(newValue)
      feed.wake()
    }
  }

  /// Has the rows of some items be placed, filtered and shown anew, because what the app knows of them has changed.
  ///
  /// It takes effect in the next ``update()``, whose ``Changes/modifications`` have these rows. With a notification
  /// block on an actor, that happens by itself.
  ///
  /// - Parameter uuids: The items; those that are not in the list are left out.
  /// - Complexity: O(*k* log *n*) for *k* items and *n* rows, in the update.
  public func reloadItems(with uuids: some Sequence<UUID>) {
    model.reload(uuids.map { UUIDBits($0) })
    feed.wake()
  }

  /// The directory of the list, which may be the observed one; `nil` while it is deleted.
  ///
  /// A list of a deleted directory is empty. If the directory returns, so do the rows.
  public var folder: FileSystemItem? {
    registrar.access(self, keyPath: \.folder)
    guard model.tree.isPresent else { return nil }
    if let folderItem, folderItem.uuid == UUID(model.tree.uuid) { return folderItem }
    let snapshot = model.tree.snapshot(.root)
    if let known = table[snapshot.id] {
      folderItem = known
    } else {
      let item = FileSystemItem(snapshot, model.tree.stamp, of: observer)
      table.add(item)
      folderItem = item
    }
    return folderItem
  }
}

extension FileSystemItemList: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The directory and the number of rows.
  public var description: String {
    "\(model.rows.count.counted("row")) of \(model.tree.snapshot(.root).path.printable)"
  }

  /// The same as the description.
  public var debugDescription: String { description }

  /// The number of rows only: a million items are too many for a console.
  public var customMirror: Mirror { Mirror(self, children: ["count": model.rows.count]) }
}

// MARK: - Objects

extension FileSystemItemList {
  /// Has the live items take their new states.
  func updateItems(_ update: ListModel.Update) {
    guard !table.isEmpty else { return }
    let tree = model.tree
    for id in update.changes.deletedIDs { updateItem(with: id) }
    let directory = FileSystemItem.ID(uuid: UUID(tree.uuid))
    if tree.isPresent { table[directory]?.take(tree.snapshot(.root), tree.stamp) } else { updateItem(with: directory) }
    if update.concernsAll {
      for item in table.items where tree.node(with: item.id) != nil { updateItem(with: item.id) }
    } else {
      for node in update.touched { table[tree.id(of: node)]?.take(tree.snapshot(node), tree.stamp) }
    }
  }

  /// Has a live item take its state; one that is no longer in the list may still be in the observed tree.
  private func updateItem(with id: FileSystemItem.ID) {
    guard let item = table[id] else { return }
    let tree = model.tree
    if let node = tree.node(with: id), node != .root || tree.isPresent {
      item.take(tree.snapshot(node), tree.stamp)
    } else {
      item.takeNewest()
    }
  }
}
