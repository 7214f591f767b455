import FileIdentity
import FoundationEssentials

/// A list without an observer, changed by events that it is given: for simulated worlds.
package struct DetachedList: Sendable {
  private var model: ListModel

  /// Makes a list of the items below a directory.
  ///
  /// - Parameters:
  ///   - snapshot: The items of the list's scope.
  ///   - scope: `.all`, or a folder or subtree.
  package init(_ snapshot: FileSystemSnapshot, of scope: FileSystemObserver.Scope, order: FileSystemItemList.Order) {
    let (uuid, isDeep): (UUIDBits?, Bool) =
      switch scope {
      case .all: (nil, true)
      case .folder(let uuid): (UUIDBits(uuid), false)
      case .subtree(let uuid), .item(let uuid): (UUIDBits(uuid), true)
      }
    model = ListModel(snapshot, below: uuid, isDeep: isDeep, order: order, filter: nil)
  }

  /// Takes an event; `update()` changes the rows.
  package mutating func take(_ event: FileSystemObserver.Event, snapshot: () -> FileSystemSnapshot) {
    model.take(event, snapshot: snapshot)
  }

  /// Changes the rows as the taken events say; `nil` if nothing has changed.
  package mutating func update() -> FileSystemItemList.Changes? { model.finishUpdate()?.changes }

  /// The IDs of the rows in order.
  package var ids: [FileSystemItem.ID] { model.rows.all.map { model.tree.id(of: $0) } }

  /// The rows in order: names and UUIDs.
  package var rows: [String] {
    model.rows.all.map { id in
      let item = model.tree.snapshot(id)
      return "\(item.name) \(item.uuid) \(item.isCopying)"
    }
  }
}
