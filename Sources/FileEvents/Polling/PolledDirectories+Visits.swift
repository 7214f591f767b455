import LinuxFileSystem

extension PolledDirectories {
  /// Takes what is known of a directory out, to be looked at.
  ///
  /// - Returns: Nothing where its entries are not wanted, or somebody else is at it.
  mutating func begin(_ id: DirectoryID) -> Visit? {
    guard let item = self[id], let shadow = item.shadow else { return nil }
    self[id]?.shadow = nil
    return Visit(
      shadow: shadow, mark: item.mark, scope: item.scope,
      stamp: item.stamp, stampSince: item.stampSince, isFinal: item.isListingFinal,
      mustAdoptTimes: item.mustAdoptTimes)
  }

  /// Puts it back.
  mutating func end(_ visit: Visit, at id: DirectoryID) {
    guard let item = self[id], item.mark == visit.mark, item.shadow == nil else { return }
    if let former = visit.former { learn(visit.shadow, insteadOf: former, in: id) }
    self[id]?.shadow = visit.shadow
    self[id]?.stamp = visit.stamp
    self[id]?.stampSince = visit.stampSince
    self[id]?.isListingFinal = visit.isFinal
    if visit.hasAdoptedTimes { self[id]?.mustAdoptTimes = false }
  }

  /// Takes over what a directory holds when it is marked.
  mutating func takeOver(_ listing: Listing, in id: DirectoryID) {
    if let shadow = listing.shadow { learn(shadow, insteadOf: self[id]?.shadow, in: id) }
    self[id]?.shadow = listing.shadow
    self[id]?.stamp = listing.stamp
    self[id]?.stampSince = listing.since
    self[id]?.isListingFinal = listing.isFinal
  }
}
