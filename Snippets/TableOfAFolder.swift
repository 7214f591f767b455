// Shows the documents of a folder as a table in the terminal, and keeps the table up to date.
//
//     swift run TableOfAFolder /home/me/Documents

import FileSystemObservation

@main struct TableOfAFolder {
  // snippet.follow
  @MainActor static func main() async throws {
    let observer = FileSystemObserver(
      directory: FilePath(CommandLine.arguments.dropFirst().first ?? "/home/me/Documents"))
    try await observer.start()
    guard let list = observer.itemList(sortedBy: .modificationDate.reversed().foldersFirst()) else { return }
    let table = Table(of: list)
    for await changes in list.updates() { table.apply(changes, of: list) }
  }
  // snippet.end
}

// snippet.table
/// The rows as a widget has them: it learns what has changed, and never reads the folder.
@MainActor final class Table {
  private var rows: [String]

  init(of list: FileSystemItemList) {
    rows = list.map(Self.text)
    draw()
  }

  func apply(_ changes: FileSystemItemList.Changes, of list: FileSystemItemList) {
    for splice in changes.splices {
      let added = (0..<splice.added).map { Self.text(of: list[splice.position + $0]) }
      rows.replaceSubrange(splice.position..<splice.position + splice.removed, with: added)
    }
    for row in changes.modifications { rows[row] = Self.text(of: list[row]) }
    draw()
  }

  private static func text(of item: FileSystemItem) -> String {
    let size = item.childCount.map { "\($0) items" } ?? "\(item.size) bytes"
    return "\(item.name), \(size)\(item.isCopying ? ", copying" : "")"
  }
  // snippet.end

  private func draw() {
    print("\u{1B}[H\u{1B}[J\(rows.count) documents")
    for row in rows { print(row) }
  }
}
