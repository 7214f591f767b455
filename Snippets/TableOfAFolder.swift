// Shows the items of a folder as a table in the terminal, and keeps the table up to date.
import FileSystemObservation

@main struct TableOfAFolder {
  @MainActor static func main() async throws {
    let observer = FileSystemObserver(
      directory: FilePath(CommandLine.arguments.dropFirst().first ?? "/home/me/Documents"))
    try await observer.start()
    guard let list = observer.itemList(sortedBy: .modificationDate.reversed().foldersFirst()) else { return }
    show(list)
    for await _ in list.updates() { show(list) }
  }

  @MainActor static func show(_ list: FileSystemItemList) {
    print("\u{1B}[H\u{1B}[J\(list)")
    for item in list {
      print(item, item.childCount.map { "\($0) items" } ?? "\(item.size) bytes", item.isCopying ? "copying" : "")
    }
  }
}
