import FileIdentity
import LinuxFileSystem

/// Which of two files that bear one tag is the original: the other is its copy.
///
/// A copy program copies the tag with the file, and the copy gets another one when it is found. If both are found
/// together, because nobody watched, this is decided by what they are. The evidence, the strongest first:
///
/// | The file … | is |
/// | --- | --- |
/// | bears a tag that was minted for its own inode, before this scan | the original |
/// | has an identity that was minted here, or just now, or that is not read yet | the copy |
/// | was told from its original before | the copy |
/// | was born first | the original |
enum OriginalRule {
  /// What is known of one of the two files.
  struct Claimant: Equatable {
    var key: FileKey
    /// Whether its tag was minted for its own inode, and was there before: nobody copied it there.
    var bearsOwnTag = false
    /// Whether its identity is new: it bore no tag, or is still being written.
    var isNew = false
  }

  /// Decides in the first scan.
  static func isOriginal(_ newcomer: Claimant, besides known: Claimant) -> Bool {
    if newcomer.bearsOwnTag { return true }
    if known.bearsOwnTag { return false }
    if newcomer.isNew != known.isNew { return known.isNew }
    return newcomer.key.isBorn(before: known.key)
  }

  /// What is known of a file that was found before its original, perhaps.
  struct EarlierFind: Equatable {
    var key: FileKey
    /// How it came to have the identity that is in both tags.
    var claim: Claim

    enum Claim: Equatable {
      /// It was minted while the file was being written, and its tag says another.
      case provisional
      /// Its tag could not be read, and the identity was minted.
      case unread
      /// By its tag, when it was found; whether it got another identity before because it was a copy.
      case found(asCopy: Bool)
      /// It was seen to get it, or was there all the time.
      case established
    }
  }

  /// Decides when a newcomer is found that may have been there for long.
  ///
  /// - Parameter boreTagBefore: Whether the newcomer has not changed since anything could be tagged here.
  static func isOriginal(_ newcomer: Claimant, foundAfter known: EarlierFind, boreTagBefore: Bool) -> Bool {
    switch known.claim {
    case .provisional, .unread: true
    case .established: false
    case .found(let isCopy):
      isCopy || newcomer.bearsOwnTag || boreTagBefore || newcomer.key.isBorn(before: known.key)
    }
  }

  /// Decides between two observers, each of which takes one of two files for the other.
  ///
  /// Both see the same files, and decide the same: the smaller identity belongs to the file that was born first.
  static func mustExchange(_ key: FileKey, _ own: UUIDBits, with other: FileKey, _ otherTag: UUIDBits) -> Bool {
    key.isBorn(before: other) == (otherTag < own)
  }
}
