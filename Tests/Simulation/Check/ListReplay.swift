import FileSystemObservation

/// A list, and plain arrays that its changes are applied to.
struct ListReplay {
  /// Orders that do not depend on sizes and dates: those of folders and of growing files are details.
  private static let orders: [FileSystemItemList.Order] = [
    .name, .kind, .name.reversed(), .name.foldersFirst(), .kind.reversed().then(.name),
  ]

  private let scope: FileSystemObserver.Scope
  private let order: FileSystemItemList.Order
  private var list: DetachedList
  /// The rows after all changes at once, and after each splice.
  private var batched: [FileSystemItem.ID]
  private var spliced: [FileSystemItem.ID]
  private(set) var contradictions: [String] = []

  /// Sometimes a list of a folder or subtree; an item alone has none.
  init?(_ snapshot: FileSystemSnapshot, of scope: FileSystemObserver.Scope, _ random: inout Random) {
    if case .item = scope { return nil }
    guard random.chance(1, of: 8) else { return nil }
    self.scope = scope
    order = random.pick(Self.orders) ?? .name
    list = DetachedList(snapshot, of: scope, order: order)
    batched = list.ids
    spliced = batched
  }

  mutating func take(_ event: FileSystemObserver.Event) {
    let directory = FileSystemSnapshot([], directory: "tree")
    list.take(event, snapshot: { directory })
  }

  mutating func update() {
    guard let changes = list.update() else { return }
    let ids = list.ids
    applyAtOnce(changes, ids)
    applySplices(changes, ids)
    if batched != ids { contradictions.append("\(changes) does not give the rows") }
    if spliced != ids { contradictions.append("the splices of \(changes) do not give the rows") }
    (batched, spliced) = (ids, ids)
  }

  private mutating func applyAtOnce(_ changes: FileSystemItemList.Changes, _ ids: [FileSystemItem.ID]) {
    for index in (changes.deletions + changes.moves.map(\.from)).sorted(by: >) { batched.remove(at: index) }
    for index in (changes.insertions + changes.moves.map(\.to)).sorted() { batched.insert(ids[index], at: index) }
  }

  /// A model of GTK or Qt asks for the rows only when all splices are applied; then each added row is that of its
  /// index.
  private mutating func applySplices(_ changes: FileSystemItemList.Changes, _ ids: [FileSystemItem.ID]) {
    var rows: [FileSystemItem.ID?] = spliced
    for splice in changes.splices {
      rows.replaceSubrange(
        splice.position..<splice.position + splice.removed,
        with: Array(repeating: nil, count: splice.added))
    }
    spliced = zip(rows, ids).map { $0 ?? $1 } + ids.dropFirst(rows.count)
    if rows.count != ids.count { contradictions.append("the splices of \(changes) give \(rows.count) rows") }
  }

  /// The differences between the list and one made anew.
  func differences(_ snapshot: FileSystemSnapshot?) -> [String] {
    guard let snapshot else { return contradictions }
    let fresh = DetachedList(snapshot, of: scope, order: order)
    if fresh.rows == list.rows { return contradictions }
    let (has, wants) = (list.rows.joined(separator: ", "), fresh.rows.joined(separator: ", "))
    return contradictions + ["has \(has), where there is \(wants)"]
  }
}
