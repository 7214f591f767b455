import FileIdentity

/// Files that were put at each other's places with their tags, as a sync or a restored backup does: each has the tag of
/// the next one.
struct TagChain: Equatable, Sendable {
  enum End: Equatable, Sendable {
    /// The last file has the tag of the first.
    case first
    /// The last file has no tag.
    case untagged
    /// The last file has the identity of no entry.
    case unknown(UUIDBits)
    /// The last file has the tag of an entry that is gone.
    case gone(NodeID)
  }

  /// The documents whose files have each other's tags.
  var members: [NodeID]
  /// A new file with the tag of the first member.
  var head: Place?
  var end: End

  /// Whether the tags show that the documents were put there, and not that copies of them were saved over others.
  ///
  /// A document that was saved without its tag, after a copy of it was put over another, leaves a chain of one step.
  var isProof: Bool {
    let steps = members.count - 1 + (head == nil ? 0 : 1)
    return switch end {
    case .first: members.count > 1
    case .untagged: steps > 1
    case .unknown, .gone: steps > 0
    }
  }
}

/// What the tag of a written file says of other documents.
enum TagChainFinding: Equatable {
  /// The file is its document's next version.
  case none
  /// A file of the chain is still being written, or has not been looked at.
  case undecided
  case chain(TagChain)
}
