import FileEvents
import FileIdentity
import LinuxFileSystem

// Hints that cannot be trusted, because the source may have left some out.
//
// The places of such hints are unordered until everything has been looked at without further events. Until then, their
// hints only say where to look, as in a rescan. The other end of a rename to or from such a place becomes unordered,
// too.

extension Engine {
  /// Whether a hint only says where to look.
  func isInDoubt(_ hint: Hint) -> Bool {
    let isUnordered = hint.traits.contains(.unordered)
    if !isUnordered, hint.file == nil { return false }
    guard let place = place(of: hint) else { return isUnordered }
    let contradicts = hint.kinds.hasAny(of: .disappearances) && isOfAnotherFile(hint, at: place)
    let cookie = hint.kinds.contains(.movedTo) && hint.cookie == unorderedCookie
    let isNew = isUnordered || contradicts || cookie
    if !isNew, !state.classify({ $0.hasDoubts }) { return false }
    // Both halves of a rename are treated alike.
    let partner = hint.kinds.contains(.movedFrom) ? toFollow.first { $0.cookie == hint.cookie } : nil
    let places = [place, partner.flatMap { self.place(of: $0) }].compactMap(\.self)
    let isInDoubt = state.classify { $0.noteUnordered(places, isNew: isNew) }
    noteReport(hint, at: place, isInDoubt: isInDoubt)
    if !isInDoubt { return false }
    if hint.kinds.contains(.movedFrom) { unorderedCookie = hint.cookie }
    return true
  }

  /// Notes what a hint of unknown order says of its file; of others, which files are new, and where those are that have
  /// been reported.
  private func noteReport(_ hint: Hint, at place: Place, isInDoubt: Bool) {
    guard let file = hint.file, file.inode != 0, !hint.kinds.contains(.directory) else { return }
    // What has an unobserved name first is no document: a program's new version, which gets the document's name.
    let isKnown = state.classify { $0.isReported(file) }
    if isKnown || isInDoubt && !isExcluded(place, isDirectory: false) {
      state.classify { $0.noteReport(hint.kinds, of: file, at: place) }
    } else if isInDoubt || hint.kinds.contains(.created) {
      state.classify { $0.noteNewFile(file, in: place.parent) }
    }
  }

  /// Whether a hint says that another file lost the name than the one that is believed there.
  func isOfAnotherFile(_ hint: Hint, at place: Place) -> Bool {
    guard let inode = hint.file?.inode, inode != 0, !hint.kinds.hasAny(of: .appearances) else {
      return false
    }
    return state.classify { $0.isOccupied(place, byOtherThan: inode) }
  }

  /// Ends the rescan if no event came while everything was looked at: then the graph agrees with the tree.
  func endRecoveryIfStable() {
    guard state.classify({ $0.canEndRescan }), carried.hints.isEmpty else { return }
    source.deliverPending()
    guard deliveredCount == nextHint else { return }
    state.classify { $0.endRescan() }
  }
}
