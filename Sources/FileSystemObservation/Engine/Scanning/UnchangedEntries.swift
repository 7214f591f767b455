import FileIdentity
import LinuxFileSystem

// What a comparison of the tree with its listings need not look at.

extension Engine {
  /// The entries of a listing that are as they were when the tree was stored: nothing has to be decided about them.
  ///
  /// Nothing is known of any other listing.
  func unchangedEntries(_ listing: DirectoryListing, in id: NodeID) -> UnchangedEntries {
    guard let resumption, resumption.scanned == nil, scans.depth > 0 else { return UnchangedEntries() }
    return state.classify { classifier in
      UnchangedEntries(
        listing.entries.map { scanned in
          classifier.unchanged(scanned, listing.name(of: scanned), in: id, mayBeUntagged: !tagsFirstScan)
        })
    }
  }

  /// Whether a directory of the graph has so many entries.
  func hasChildren(_ id: NodeID, _ count: Int) -> Bool {
    state.classify { $0.graph[id].size == Int64(count) }
  }

  /// The places and keys of the subdirectories in a listing, by the numbers of their own listings.
  func directoryPlaces(_ listing: DirectoryListing, in id: NodeID) -> [UInt32: (Place, FileKey)] {
    var directories: [UInt32: (Place, FileKey)] = [:]
    for scanned in listing.entries where scanned.listing != 0 {
      let place = Place(parent: id, name: FileName(bytes: listing.nameBytes(of: scanned)))
      directories[scanned.listing] = (place, scanned.entry.key)
    }
    return directories
  }
}

/// Which entries of a listing have not changed.
struct UnchangedEntries: Sendable {
  private let entries: [NodeID?]
  /// Whether none has changed.
  let isAll: Bool

  init() {
    (entries, isAll) = ([], false)
  }

  init(_ entries: [NodeID?]) {
    self.entries = entries
    isAll = entries.allSatisfy { $0 != nil }
  }

  /// The entry of the graph, if what was listed at an index is the same.
  subscript(index: Int) -> NodeID? { index < entries.count ? entries[index] : nil }
}
