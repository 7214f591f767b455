import FileIdentity
import LinuxFileSystem

// Tags of unfinished files, and what is known of tags that were read or written.

extension Classifier {
  /// Makes the unfinished copies of one identity copies of another.
  mutating func replaceUnconfirmedTags(_ former: UUIDBits, by uuid: UUIDBits) {
    var places: [Place] = []
    for holder in unconfirmedTags.holders(of: former) {
      switch holder {
      case .entry(let id): unconfirmedTags.set(uuid, of: id)
      case .arrival(let place): places.append(place)
      }
    }
    for place in places.sorted() {
      guard var arrival = takeArrival(at: place) else { continue }
      arrival.entry = arrival.entry?.presumed(uuid, by: .formerTag)
      put(arrival, at: place)
    }
  }

  /// Notes whether a tag was written.
  mutating func noteTagWritten(_ id: NodeID, _ key: FileKey, _ written: Bool) {
    guard graph.isLive(id), graph.key(id) == key else { return }
    if graph[id].flags.contains(.tagged) == written { return }
    graph.setFlags(id, .tagged, written)
    news.changedTags.formUnion(graph.names(of: id, atMost: ListenerNews.nameLimit))
  }

  /// Whether an identity was minted for a file that is still being written.
  func isMintedForNow(_ id: NodeID) -> Bool {
    graph[id].flags.contains(.copying) && !graph[id].flags.contains(.tagged) && !graph.hasOtherNames(id)
  }
}
