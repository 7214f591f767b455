import FileIdentity

/// Whose content a new file has that came without a tag.
///
/// Several possible answers are none: content that two documents have says nothing about which of them was copied, and
/// of two new files with the content of a document that is gone, neither is the document more than the other.
enum ContentMatch: Equatable {
  /// Nobody's, or that of several.
  case none
  /// It has the content of this identity: a copy if that stands, otherwise what has become of it.
  case of(UUIDBits)
  /// Another new file may have the same content, and is being read.
  case undecided

  /// A known file with the content.
  struct Holder: Equatable {
    var uuid: UUIDBits
    /// Whether the file is at its place; otherwise it is missing, with its folder perhaps.
    var isStanding: Bool
    /// Whether it was announced as a copy.
    var isCopy = false
  }

  /// Decides what a new file is.
  ///
  /// - Parameters:
  ///   - holders: The known files with its content.
  ///   - newcomers: The number of new files with its content, itself included.
  ///   - mayBeMore: Whether new files of the same size are still being read.
  static func of(_ holders: [Holder], newcomers: Int, mayBeMore: Bool) -> ContentMatch {
    // Of a document and its copies, the document is the original.
    let originals = holders.filter { !$0.isCopy && $0.isStanding }
    let holders = originals.isEmpty ? holders : holders.filter { !$0.isCopy }
    guard let first = holders.first, holders.allSatisfy({ $0.uuid == first.uuid }) else { return .none }
    if holders.contains(where: \.isStanding) { return .of(first.uuid) }
    if newcomers > 1 { return .none }
    return mayBeMore ? .undecided : .of(first.uuid)
  }
}
