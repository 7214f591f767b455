/// What the classifier asks of the engine.
///
/// Every request is answered by a call back into the classifier, or needs no answer.
enum Request: Sendable {
  /// Look at a place, and `observe` what is there.
  case look(Place, LookReason)
  /// The same, wherever this entry is by then.
  case lookAt(NodeID)
  /// Look at the places of these entries and `observe` each; then look at this place again, with `isVerified`.
  case verify([NodeID], then: Place, LookReason)
  /// An arrival may be finished: look at it, probe for writers, and `finish` it.
  case finish(Place)
  /// Look at these entries, then `finish` the arrival.
  case verifyThenFinish([NodeID], Place, probeWriters: Bool)
  /// A file that is written in place, or announced as copying, may be done: look at it and `settleWriting` it.
  case checkWriting(NodeID, probeWriters: Bool)
  /// Look at these entries, then `settleWriting` the file.
  case verifyThenCheckWriting([NodeID], NodeID)
  /// Whether a displaced entry is back, or where it was put as far as is known by then: look at both and `resolve` it.
  case examine(NodeID)
  /// Give an entry's file its tag. `claiming`: only where there is none.
  case writeTag(NodeID, claiming: Bool)
  /// The same for a file that bears none, when a burst of such files is over.
  case writeTagInTime(NodeID, claiming: Bool)
  /// Put back the tag that an entry's file had, and tell the app.
  case restoreTag(NodeID)
  /// Mark a directory and list it.
  case scan(NodeID)
  /// Mark and list a directory, and everything below it, as if nothing were known of them.
  case scanAnew(NodeID)
  /// A directory has another place, or is back, and was in this one: catch up with what could not be looked at
  /// meanwhile.
  case moved(NodeID, from: NodeID)
  /// A directory is not observed any more.
  case forget(NodeID)
  /// The same directory is seen at two places.
  case reportLoop(Place)
}
