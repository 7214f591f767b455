import LinuxFileSystem

extension PolledDirectories {
  /// Takes the known entries of a directory out for a visit.
  ///
  /// - Returns: Nothing if the entries are not wanted, or another thread visits the directory.
  mutating func begin(_ id: DirectoryID) -> Visit? {
    guard let item = self[id], let shadow = item.shadow else { return nil }
    self[id]?.shadow = nil
    return Visit(
      shadow: shadow, mark: item.mark, scope: item.scope,
      stamp: item.stamp, stampSince: item.stampSince, isFinal: item.isListingFinal,
      mustAdoptTimes: item.mustAdoptTimes)
  }

  /// Ends a visit, and stores its result.
  mutating func end(_ visit: Visit, at id: DirectoryID) {
    guard let item = self[id], item.mark == visit.mark, item.shadow == nil else { return }
    if let former = visit.former { learn(visit.shadow, insteadOf: former, in: id) }
    self[id]?.shadow = visit.shadow
    self[id]?.stamp = visit.stamp
    self[id]?.stampSince = visit.stampSince
    self[id]?.isListingFinal = visit.isFinal
    if visit.hasAdoptedTimes { self[id]?.mustAdoptTimes = false }
  }

  /// Stores the listing of a directory that is marked.
  mutating func takeOver(_ listing: Listing, in id: DirectoryID) {
    if let shadow = listing.shadow { learn(shadow, insteadOf: self[id]?.shadow, in: id) }
    self[id]?.shadow = listing.shadow
    self[id]?.stamp = listing.stamp
    self[id]?.stampSince = listing.since
    self[id]?.isListingFinal = listing.isFinal
  }
}
