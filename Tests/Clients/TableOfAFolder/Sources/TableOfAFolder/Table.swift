import FileSystemObservation

/// The rows of a folder as a widget has them: it gets to know what the list says, and nothing else.
@MainActor final class Table {
  private(set) var names: [String]
  private var token: NotificationToken?
  private var waiting: (isReached: (Table) -> Bool, continuation: CheckedContinuation<Void, Never>)?

  init(of list: FileSystemItemList) {
    names = list.map(\.name)
    token = list.addNotificationBlock { [weak self] list, changes in
      self?.apply(changes, of: list)
    }
  }

  /// Waits until the table is as it should be.
  func wait(until isReached: @escaping (Table) -> Bool) async {
    if isReached(self) { return }
    await withCheckedContinuation { waiting = (isReached, $0) }
  }

  private func apply(_ changes: FileSystemItemList.Changes, of list: FileSystemItemList) {
    print("\(changes): \(names)")
    for splice in changes.splices {
      let added = (0..<splice.added).map { list.snapshot(at: splice.position + $0).name }
      names.replaceSubrange(splice.position..<splice.position + splice.removed, with: added)
    }
    for row in changes.modifications { names[row] = list.snapshot(at: row).name }
    check(names == list.map(\.name), "the table has \(names), the list \(list.map(\.name))")
    guard let (isReached, continuation) = waiting, isReached(self) else { return }
    waiting = nil
    continuation.resume()
  }
}
