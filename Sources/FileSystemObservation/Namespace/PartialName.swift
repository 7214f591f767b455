import LinuxFileSystem

/// What a partial name says: in which directory it is, and the ending of the name that its file may get, with its dot.
struct PartialName: Hashable, Sendable {
  var directory: NodeID
  var ending: [UInt8]
}

extension NameRules {
  /// What the name of a place says of a file that is not finished; nothing for nearly all names.
  func partialNames(at place: Place) -> [PartialName] {
    endings(ofPartial: place.name).map { PartialName(directory: place.parent, ending: $0) }
  }
}
