/// A request of the classifier to the engine, which answers by a call back, if at all.
enum Request: Sendable {
  /// Look at an entry, at its place by then.
  case lookAt(NodeID)
  /// Look at what a decision is about, and decide.
  case look(Question)
  /// Look at these entries and `observe` each, so that the graph is right about them; then decide.
  case verify([NodeID], then: Question)
  /// Read the content of a new file at a place, and `takeContent`.
  indirect case readContent(Place, Entry)
  /// Look at the place and at the believed location of an unresolved entry, and `resolve` it.
  case examine(NodeID)
  /// Write an entry's tag. `claiming`: only if the file has none.
  case writeTag(NodeID, claiming: Bool)
  /// The same for a file without a tag, after a burst of such files.
  case writeTagInTime(NodeID, claiming: Bool)
  /// Restore the former tag of an entry's file, and report that.
  case restoreTag(NodeID)
  /// Mark a directory and list it.
  case scan(NodeID)
  /// Mark and list a directory and everything below it again, as if nothing were known of them.
  case scanAnew(NodeID)
  /// A directory was moved or found again: list what was left out meanwhile.
  case moved(NodeID)
  /// A directory was moved by copying: `awaitCopies` of it, and stop observing the directories that were in it.
  case awaitCopies(NodeID)
  /// Stop observing a directory.
  case forget(NodeID)
  /// Report a directory that is at two places, as by a bind mount.
  case reportLoop(Place)
}

/// What a decision is about.
enum Question: Sendable {
  /// Look at a place, and `observe` what is found.
  case place(Place, LookReason)
  /// Look at an arrival that may be finished, probe for writers, and `finish` it.
  case arrival(Place)
  /// Look at a file that is being written or copied, and `settleWriting` it.
  case writing(NodeID)
}

extension Classifier {
  /// Asks what is at a place.
  mutating func requestLook(at place: Place) { requests.append(.look(.place(place, .check))) }
}
