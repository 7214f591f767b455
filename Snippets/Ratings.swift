// Keeps ratings of documents, which follow them. Rate one, rename, save or copy it, and run this again.
//
//     swift run Ratings /home/me/Photos /home/me/.local/state/photos.sqlite ratings.json [PATH STARS]

// This package can be built without the store. A package of your own needs no #if, nor what is below #else.
#if Store
import FileSystemObservation
import Foundation
import ObservationStore

@main struct Ratings {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst().map { $0 }
    guard arguments.count >= 3 else { return print("usage: Ratings FOLDER STORE FILE [PATH STARS]") }
    let file = URL(filePath: arguments[2])
    let store = try ObservationStore(at: FilePath(arguments[1]))

    // snippet.ratings
    var ratings = DocumentValues<Int>()
    if FileManager.default.fileExists(atPath: file.path) {
      ratings = try JSONDecoder().decode(DocumentValues<Int>.self, from: Data(contentsOf: file))
    }
    let observer = FileSystemObserver(.init(directory: FilePath(arguments[0])), store: store)
    let events = observer.events(startingWith: ratings.cursor.map { .after($0) } ?? .snapshot)
    try await observer.start()
    await observer.synchronize()
    let tree = observer.snapshot()
    await observer.stop()
    for try await event in events { ratings.apply(event) }
    // snippet.end
    if arguments.count >= 5, let stars = Int(arguments[4]) {
      guard let item = tree[FilePath(arguments[3])] else { return print("\(arguments[3]) is not in the folder") }
      ratings[item.uuid] = stars
    }
    // snippet.write
    ratings.forget(goneBefore: Date(timeIntervalSinceNow: -365 * 24 * 3600))
    try JSONEncoder().encode(ratings).write(to: file, options: .atomic)
    // snippet.end
    for item in tree { if let stars = ratings[item.uuid] { print(item.relativePath, stars) } }
  }
}
#else
@main struct Ratings {
  static func main() { print("This was built without the trait Store.") }
}
#endif
