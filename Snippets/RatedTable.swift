// Shows the documents of a folder with the best rated first, and keeps their ratings while it runs and when it does not.
//
//     swift run RatedTable /home/me/Photos /home/me/.local/state/photos.sqlite ratings.json

// This package can be built without the store. A package of your own needs no #if, nor what is below #else.
#if Store
import FileSystemObservation
import Foundation
import ObservationStore

@main struct RatedTable {
  @MainActor static var ratings = DocumentValues<Int>()
  @MainActor static var list: FileSystemItemList?

  @MainActor static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst().map { $0 }
    guard arguments.count == 3 else { return print("usage: RatedTable FOLDER STORE FILE") }
    let (folder, file) = (FilePath(arguments[0]), URL(filePath: arguments[2]))
    let store = try ObservationStore(at: FilePath(arguments[1]))

    // snippet.running
    if FileManager.default.fileExists(atPath: file.path) {
      ratings = try JSONDecoder().decode(DocumentValues<Int>.self, from: Data(contentsOf: file))
    }
    let observer = FileSystemObserver(.init(directory: folder), store: store)
    // First what has happened since the ratings were written, then what happens.
    let start = ratings.cursor.map { FileSystemObserver.Start.after($0) } ?? .snapshot
    let token = observer.addNotificationBlock(on: MainActor.shared, startingWith: start) { _, event in
      let changed = ratings.apply(event)  // copies have the rating of their original
      list?.reloadItems(with: changed)
    }
    try await observer.start()
    // The block has run for all that was missed when this returns.
    await observer.synchronize()
    let byRating = FileSystemItemList.Order.number { uuid in
      MainActor.assumeIsolated { ratings[uuid].map { Double($0) } }
    }
    guard let table = observer.itemList(sortedBy: byRating.reversed()) else { return }
    list = table
    try show(table, file)
    for await _ in table.updates() { try show(table, file) }
    withExtendedLifetime(token) {}
    // snippet.end
  }

  @MainActor private static func show(_ list: FileSystemItemList, _ file: URL) throws {
    print("\(list.count) documents")
    for item in list { print(ratings[item.uuid].map { String(repeating: "*", count: $0) } ?? "-", item.name) }
    try JSONEncoder().encode(ratings).write(to: file, options: .atomic)
  }
}
#else
@main struct RatedTable {
  static func main() { print("This was built without the trait Store.") }
}
#endif
