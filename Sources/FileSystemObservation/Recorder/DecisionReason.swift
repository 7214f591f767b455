/// Why the classifier decided as it did.
package enum DecisionReason: UInt8, Sendable, CaseIterable {
  // Arrivals.
  /// It was made or moved here while the tree was observed.
  case newItem
  /// It existed before it was observed: an excluded item, or one that could not be looked at.
  case revealed
  /// It has the tag of an item that ended.
  case returned
  /// It is still being written, and is announced because that takes long.
  case stillBeingWritten
  /// A directory is announced because something in it is, or after a moment.
  case directoryOfNews
  /// It has the tag of an item that still exists: a copy of it.
  case copyOfOriginal
  /// It has the tag of an item that was found before it, and is the original of the two.
  case originalFoundLater
  /// A further name of a known file.
  case furtherName

  // The end of writing.
  /// Its writer closed it, and it has rested.
  case finishedByClose
  /// No writer was seen for the quiet period.
  case finishedAfterQuiet
  /// It was complete when it was announced.
  case finishedWhenFound
  /// A document has rested after it was written in place.
  case writtenInPlace
  /// A document has rested after it was replaced.
  case savedVersion
  /// A document is written for long, and is announced in between.
  case writtenForLong
  /// A document was moved by copying, and changed.
  case changedWhileMoved

  // Moves.
  /// The kernel reported the rename.
  case renamedByHint
  /// Its inode was found at another place.
  case foundElsewhere
  /// A rename that might have been the first half of a save was none.
  case renamedWithoutSave
  /// The kernel reported that two items exchanged their places.
  case exchangedByHint
  /// Documents were found at each other's places.
  case exchangeFound
  /// A document was set aside for a save, and is at its place again.
  case broughtBackForSave
  /// It was copied, and the original was removed.
  case movedByCopying
  /// It was saved and left its place unseen, and a file of its name was found in a new folder.
  case foundInNewFolder
  /// Its oldest name was removed, and another name succeeds it.
  case successionOfName

  // Saves.
  /// A document was renamed to what may be a backup: a save may follow.
  case putAsideForSave
  /// It is known to be at a place that is not free yet.
  case waitsForPlace
  /// A new inode has a document's place: the identity stays with the place.
  case savedByReplacement
  /// An announced file took a document's place: it is the document's next version.
  case mergedIntoDocument
  /// A new inode is at a place where a missing document was reported: the identity goes there.
  case savedWhereReported
  /// A directory was removed and made anew: the identity stays with the path.
  case directoryMadeAnew

  // Ends.
  /// Its name is missing: the deletion delay begins.
  case missing
  /// Its name was missing for the deletion delay.
  case missingAfterWindow
  /// It left the observed tree by a rename.
  case leftTree
  /// Another item has its place.
  case overwritten
  /// It ended with a directory above it.
  case removedWithFolder
  /// Something was mounted over it, or its file system was unmounted.
  case unmounted
  /// One of several names was removed.
  case nameRemoved
  /// A filter excludes it at its new place.
  case excludedByFilter

  // Identities.
  /// It is another item than was announced: the announced identity belongs to another.
  case anotherIdentity
  /// A copy continues the item, whose folder was removed.
  case copyTookOver

  // Tags.
  /// The tag was written, also over another.
  case tagWritten
  /// The tag existed already, or the inode was another.
  case tagNotWritten
  /// A file in a lower layer of an overlay is left without a tag.
  case tagSpared
  /// The tag could not be written.
  case tagFailed

  // Contents.
  /// It has no tag, and the content of an item that still exists, or is gone.
  case sameContent
}

enum DecisionKind: UInt8, Sendable, CaseIterable {
  case discovered, copyFinished, modified, moved, duplicated, linked, unlinked, deleted
  /// The item waits at its place.
  case held
  /// The item continues in another inode.
  case continued
  /// The item is missing, and is looked for.
  case missed

  init(_ kind: FileSystemChange.Kind) {
    self =
      switch kind {
      case .discovered: .discovered
      case .copyFinished: .copyFinished
      case .renamed, .moved: .moved
      case .duplicated: .duplicated
      case .linked: .linked
      case .unlinked: .unlinked
      case .deleted: .deleted
      case .modified, .attributesChanged, .activity, .propertiesChanged: .modified
      }
  }

  /// The rule of a decision that names none.
  var usualReason: DecisionReason {
    switch self {
    case .discovered: .newItem
    case .copyFinished: .finishedWhenFound
    case .modified: .writtenInPlace
    case .moved: .foundElsewhere
    case .duplicated: .copyOfOriginal
    case .linked: .furtherName
    case .unlinked: .nameRemoved
    case .deleted: .missingAfterWindow
    case .held: .waitsForPlace
    case .continued: .savedByReplacement
    case .missed: .missing
    }
  }
}

extension DeletionReason {
  /// The rule of an end that nothing else explains.
  var rule: DecisionReason {
    switch self {
    case .removed, .trashed: .missingAfterWindow
    case .movedOut: .leftTree
    case .replaced: .overwritten
    case .unmounted: .unmounted
    }
  }
}
