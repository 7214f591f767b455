import LinuxFileSystem

/// The live items of one isolation, each retained by the app only.
///
/// Only code of that isolation uses a table; the observer merely keeps it. So it can be sent, although it is not safe
/// to use from several threads.
final class LiveItemTable: @unchecked Sendable {
  private struct Entry {
    weak var item: FileSystemItem?
  }

  private var entries: [FileSystemItem.ID: Entry] = [:]
  /// How many entries there may be before those of deallocated items are removed.
  private var limit = 64

  /// The live item with an ID.
  subscript(id: FileSystemItem.ID) -> FileSystemItem? { entries.isEmpty ? nil : entries[id]?.item }

  /// All live items.
  var items: [FileSystemItem] { entries.values.compactMap(\.item) }

  var isEmpty: Bool { entries.isEmpty }

  /// Adds a new item.
  func add(_ item: FileSystemItem) {
    if entries.count >= limit {
      entries = entries.filter { $0.value.item != nil }
      limit = max(64, entries.count * 2)
    }
    entries[item.id] = Entry(item: item)
  }
}

/// The tables of live items of one observer, one for each actor that uses live items.
struct LiveItemTables: Sendable {
  private struct Entry: Sendable {
    /// Weak: another actor may later have the same address.
    weak var actor: (any Actor)?
    var table: LiveItemTable
  }

  private var entries: [Entry] = []

  /// The table of an actor.
  mutating func table(of actor: any Actor) -> LiveItemTable {
    entries.removeAll { $0.actor == nil }
    if let known = entries.first(where: { $0.actor === actor }) { return known.table }
    let table = LiveItemTable()
    entries.append(Entry(actor: actor, table: table))
    return table
  }
}
