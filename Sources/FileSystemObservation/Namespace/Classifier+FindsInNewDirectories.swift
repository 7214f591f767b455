import FileIdentity
import LinuxFileSystem

// Entries that left for a directory which was just made.
//
// Such a directory has no mark yet, so that the second half of the rename is not reported. A listing may find the entry
// there, even before the first half is replayed.

extension Classifier {
  /// Notes that another inode got the name of a missing entry.
  ///
  /// If the entry left by a rename without a second half, it left the tree. The kernel reports both halves under the
  /// lock of the directory (vfs_rename), so nothing else can happen to the name in between. A directory that was just
  /// made counts as outside, except for what a listing has found there.
  mutating func noteNameTaken(from id: NodeID) {
    guard let unresolvedEntry = unresolved[id], unresolvedEntry.believedLocation == .unknown else { return }
    if unresolvedEntry.leftByRename, let place = foundInNewDirectory(id) {
      return setBelievedLocation(of: id, .at(place))
    }
    setBelievedLocation(of: id, unresolvedEntry.leftByRename ? .outside : .gone)
  }

  /// Takes what a listing of a new directory has found at a place for an entry that left, before the place changes again:
  /// no hint will report its arrival.
  mutating func believeFind(at place: Place) {
    if aheadOfLog.isEmpty && reportedPlaces.isEmpty { return }
    let found = aheadOfLog.key(at: place).flatMap { graph.node(with: $0) }
    guard let id = found ?? arrivals[place].flatMap({ reportedPlaces.document(ofLatest: $0.key) }), hasLeft(id),
      foundInNewDirectory(id) == place
    else { return }
    setBelievedLocation(of: id, .at(place))
  }

  /// Where a listing of a new directory has found an entry that left for an unobserved one.
  func foundInNewDirectory(_ id: NodeID) -> Place? {
    if graph.key(id).isUnseen { return placeOfReportedVersion(of: id) }
    let places = aheadOfLog.places(of: graph.key(id))
    guard let place = places.first, places.count == 1, wasMade(place.parent) else { return nil }
    return place
  }
}
