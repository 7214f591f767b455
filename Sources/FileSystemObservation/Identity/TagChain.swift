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

/// A chain as it is found, from one of its members in both directions.
struct ChainWalk {
  private(set) var members: [NodeID]
  private var before: [NodeID] = []
  private var known: Set<NodeID>
  private var closed: TagChainFinding?
  var head: Place?
  var end = TagChain.End.untagged

  init(from id: NodeID) {
    members = [id]
    known = [id]
  }

  var isOpen: Bool { closed == nil }
  var first: NodeID? { before.last ?? members.first }

  func contains(_ id: NodeID) -> Bool { known.contains(id) }

  mutating func append(_ id: NodeID) {
    known.insert(id)
    members.append(id)
  }

  mutating func prepend(_ id: NodeID) {
    known.insert(id)
    before.append(id)
  }

  /// Ends the walk: there is no chain, or more must be known of it.
  mutating func close(with finding: TagChainFinding) { closed = finding }

  var finding: TagChainFinding {
    if let closed { return closed }
    let chain = TagChain(members: before.reversed() + members, head: head, end: end)
    return chain.isProof ? .chain(chain) : .none
  }
}
