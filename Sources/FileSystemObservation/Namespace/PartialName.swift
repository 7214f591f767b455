import LinuxFileSystem

/// The directory of an unfinished file, and the ending, with its dot, of the name that the file may get.
struct PartialName: Hashable, Sendable {
  var directory: NodeID
  var ending: [UInt8]
}

extension NameRules {
  /// What a partial name says of its unfinished file; empty for nearly all names.
  func partialNames(at place: Place) -> [PartialName] {
    endings(ofPartial: place.name).map { PartialName(directory: place.parent, ending: $0) }
  }
}
