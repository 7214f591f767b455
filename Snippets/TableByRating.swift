// Shows the documents of a folder with the best rated first. Copy one: the copy has its rating, and is beside it.
//
//     swift run TableByRating /home/me/Photos beach.jpg 5 garden.jpg 3

import FileSystemObservation

@main struct TableByRating {
  @MainActor static var ratings = DocumentValues<Int>()

  @MainActor static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    let observer = FileSystemObserver(directory: FilePath(arguments.popFirst() ?? "/home/me/Photos"))
    try await observer.start()
    // The first scan has ended then, and all documents are known.
    await observer.synchronize()
    while let name = arguments.popFirst(), let stars = arguments.popFirst() {
      if let item = observer[observer.directory.appending(name)] { ratings[item.uuid] = Int(stars) }
    }

    // snippet.sort
    let byRating = FileSystemItemList.Order.number { uuid in
      MainActor.assumeIsolated { ratings[uuid].map { Double($0) } }
    }
    guard let list = observer.itemList(sortedBy: byRating.reversed()) else { return }
    // A copy gets the rating of its original, so that its row has another place.
    let following = Task {
      for try await event in observer.events() { list.reloadItems(with: ratings.apply(event)) }
    }
    defer { following.cancel() }
    show(list)
    for await _ in list.updates() { show(list) }
    // snippet.end
  }

  @MainActor private static func show(_ list: FileSystemItemList) {
    print("\(list.count) documents")
    for item in list { print(ratings[item.uuid].map { String(repeating: "*", count: $0) } ?? "-", item.name) }
  }
}
