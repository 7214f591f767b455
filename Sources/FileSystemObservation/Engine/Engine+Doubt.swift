import FileEvents
import FileIdentity
import LinuxFileSystem

// Where hints cannot be taken at their word, because the source may have left some out.
//
// A name in doubt stays so until everything has been looked at and nothing more has happened: what is told of it
// meanwhile says where to look, as in recovery, and so does what is told of any other name that something was renamed
// to or from there.

extension Engine {
  /// Whether a hint says only where to look.
  func isInDoubt(_ hint: Hint) -> Bool {
    let isUnordered = hint.traits.contains(.unordered)
    if !isUnordered, hint.file == nil { return false }
    guard let place = place(of: hint) else { return isUnordered }
    // Both halves of a rename come together.
    let partner = hint.kinds.contains(.movedFrom) ? toFollow.first { $0.cookie == hint.cookie } : nil
    let places = [place] + (partner.flatMap { self.place(of: $0) }.map { [$0] } ?? [])
    let contradicts = !hint.kinds.isDisjoint(with: [.removed, .movedFrom]) && isOfAnotherFile(hint, at: place)
    let cookie = hint.kinds.contains(.movedTo) && hint.cookie == doubtfulCookie
    return state.classify { classifier in
      guard isUnordered || contradicts || cookie || places.contains(where: { classifier.doubtful.contains($0) }) else {
        return false
      }
      classifier.doubtful.formUnion(places)
      if hint.kinds.contains(.movedFrom) { doubtfulCookie = hint.cookie }
      return true
    }
  }

  /// So many names in doubt at a time are as good as all.
  func limitDoubt() {
    state.classify { classifier in
      guard classifier.doubtful.count > 65_536 else { return }
      classifier.doubtful.removeAll()
      classifier.isRecovering = true
    }
  }

  /// Whether a hint says that a name was taken from another file than the one that has it as far as is known.
  func isOfAnotherFile(_ hint: Hint, at place: Place) -> Bool {
    guard let inode = hint.file?.inode, inode != 0, hint.kinds.isDisjoint(with: [.created, .movedTo]) else {
      return false
    }
    return state.classify { $0.isOccupied(place, byOtherThan: inode) }
  }
}
