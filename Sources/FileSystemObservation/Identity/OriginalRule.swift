import FileIdentity
import LinuxFileSystem

/// Which of two files with one tag is the original, and which the copy.
///
/// A copy program copies the tag with the file, and a copy gets another one when it is found. Two files that are found
/// together, because nobody watched, are told apart by evidence, the strongest first:
///
/// | The file … | is |
/// | --- | --- |
/// | has the name of a backup of the other, in the same directory | the copy |
/// | has a tag that was minted for its own inode, before this scan | the original |
/// | has an identity that was minted here, or just now, or that was not read yet | the copy |
/// | was distinguished from its original before | the copy |
/// | has the time of an older inode, and was not copied with its folder | the copy, of a document that was saved since |
/// | was born first | the original |
enum OriginalRule {
  /// What is known of one of the files.
  struct Claimant: Equatable {
    var key: FileKey
    /// Whether its tag was minted for its own inode, and existed before, so that it was not copied.
    var bearsOwnTag = false
    /// Whether its identity is new: it had no tag, or is still being written.
    var isNew = false
    /// Whether its content is older than its inode, so that it was copied, and its folder was not.
    var isLoneCopy = false
    /// Whether its name is that of a backup of the other file, beside it.
    var isBackup = false
  }

  /// Decides in the first scan.
  static func isOriginal(_ newFile: Claimant, besides known: Claimant) -> Bool {
    if newFile.isBackup != known.isBackup { return known.isBackup }
    if newFile.bearsOwnTag { return true }
    if known.bearsOwnTag { return false }
    if newFile.isNew != known.isNew { return known.isNew }
    if newFile.isLoneCopy != known.isLoneCopy { return known.isLoneCopy }
    return newFile.key.isBorn(before: known.key)
  }

  /// A file that may have been found before its original.
  struct EarlierFind: Equatable {
    var key: FileKey
    /// How it got the identity that is in both tags.
    var claim: Claim

    enum Claim: Equatable {
      /// The identity was minted while the file was being written, and its tag is another.
      case provisional
      /// The tag could not be read, and the identity was minted.
      case unread
      /// It got the identity when it was found: from its tag, or minted for it as a copy.
      case found(asCopy: Bool)
      /// It is a directory that was found with its tag at its path, but is another inode.
      case atItsPath
      /// It got the identity under observation, or had it all the time.
      case established
    }
  }

  /// Decides when a new inode is found that may have existed for long.
  ///
  /// - Parameter boreTagBefore: Whether the new inode has not changed since this observer could tag it.
  static func isOriginal(_ newFile: Claimant, foundAfter known: EarlierFind, boreTagBefore: Bool) -> Bool {
    switch known.claim {
    case .provisional, .unread: true
    case .established: false
    case .atItsPath: newFile.bearsOwnTag
    case .found(let isCopy):
      isCopy || newFile.bearsOwnTag || boreTagBefore || newFile.key.isBorn(before: known.key)
    }
  }

  /// Decides between two observers that each identify two files the other way round.
  ///
  /// Both see the same files, and decide the same: the smaller identity belongs to the file that was born first.
  static func mustExchange(_ key: FileKey, _ own: UUIDBits, with other: FileKey, _ otherTag: UUIDBits) -> Bool {
    key.isBorn(before: other) == (otherTag < own)
  }
}
