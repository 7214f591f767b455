import FileIdentity
import LinuxFileSystem

/// A dispute with another observer about the tag of a file.
struct TagDispute: Sendable {
  /// The tag that the other observer writes.
  var otherTag: UUIDBits
  var rounds: Int
  var latest: MonotonicTime
  /// How soon the next round must follow, in nanoseconds.
  var pace: Int64
}

/// Disputes by the file's identity, with an index by the other tag; old ones are forgotten when there are many.
struct TagDisputes: Sendable {
  private var disputes = RecentTable<UUIDBits, TagDispute>()
  private var identities = Multimap<UUIDBits, UUIDBits>()

  var count: Int { disputes.count }

  subscript(identity: UUIDBits) -> TagDispute? { disputes[identity] }

  mutating func set(_ dispute: TagDispute, for identity: UUIDBits, _ now: MonotonicTime) {
    remove(identity)
    identities.insert(identity, for: dispute.otherTag)
    for (old, over) in disputes.set(dispute, for: identity, keeping: { now - $0.latest < $0.pace }) {
      identities.remove(old, for: over.otherTag)
    }
  }

  mutating func remove(_ identity: UUIDBits) {
    guard let dispute = disputes[identity] else { return }
    identities.remove(identity, for: dispute.otherTag)
    disputes[identity] = nil
  }

  /// The identities of files on which another observer writes `otherTag`, in no order.
  func identities(claimedAs otherTag: UUIDBits) -> [UUIDBits] { identities.members(of: otherTag) }
}
