import FileEvents
import FileIdentity
import LinuxFileSystem

/// The occupant of a place, which left by a rename whose second half has not come.
struct PendingRename: Sendable {
  var occupant: Occupant
  let place: Place
  /// Whether the occupant was found by a later listing, so that another may have left.
  let isGuess: Bool
  /// The file, if the source names it.
  let file: HintedFile?
  private let directoryKey: FileKey
  private var key = FileKey.unseen

  init(
    _ occupant: Occupant, isGuess: Bool = false, of file: HintedFile? = nil, from place: Place, in graph: FileGraph
  ) {
    self.occupant = occupant
    self.place = place
    self.isGuess = isGuess
    self.file = file
    directoryKey = graph.key(place.parent)
    if case .entry(let id) = occupant { key = graph.key(id) }
  }

  /// Whether the directory that it left still exists.
  func hasPlace(in graph: FileGraph) -> Bool { graph.isLive(place.parent) && graph.key(place.parent) == directoryKey }

  /// The entry that left, if it has kept its inode: meanwhile the `NodeID` may be reused, or the document be saved.
  func entry(in graph: FileGraph) -> NodeID? {
    guard case .entry(let id) = occupant, graph.isLive(id), key == .unseen || graph.key(id) == key else { return nil }
    return id
  }
}
