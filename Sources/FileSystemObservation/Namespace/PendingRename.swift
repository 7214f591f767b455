import FileIdentity
import LinuxFileSystem

/// What left a place by a rename whose other half is still to come.
struct PendingRename: Sendable {
  var occupant: Occupant
  /// The place it left.
  let place: Place
  /// Whether the entry is what was known to be at the place later: perhaps another has left it.
  let isGuess: Bool
  private let directoryKey: FileKey
  private var key = FileKey.unseen

  init(_ occupant: Occupant, isGuess: Bool = false, from place: Place, in graph: FileGraph) {
    self.occupant = occupant
    self.place = place
    self.isGuess = isGuess
    directoryKey = graph.key(place.parent)
    if case .entry(let id) = occupant { key = graph.key(id) }
  }

  /// Whether the directory it left is still there.
  func hasPlace(in graph: FileGraph) -> Bool { graph.isLive(place.parent) && graph.key(place.parent) == directoryKey }

  /// Whether the entry is what it was: by the time the other half comes, its number may be another's, or it may have
  /// been saved.
  func isStill(_ id: NodeID, in graph: FileGraph) -> Bool {
    graph.isLive(id) && (key == .unseen || graph.key(id) == key)
  }
}
