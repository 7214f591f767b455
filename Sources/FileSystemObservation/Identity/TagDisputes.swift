import FileIdentity
import LinuxFileSystem

/// Two who write different tags on one file.
struct TagDispute: Sendable {
  /// What the other one writes.
  var otherTag: UUIDBits
  var rounds: Int
  var latest: MonotonicTime
  /// How long the next round may take to come, in nanoseconds.
  var pace: Int64
}

/// Identities of files whose tag somebody else writes, too; found by what the other one writes as well.
///
/// Those that are over are forgotten when there are many.
struct TagDisputes: Sendable {
  private var disputes = RecentTable<UUIDBits, TagDispute>()
  private var identities = Multimap<UUIDBits, UUIDBits>()

  var count: Int { disputes.count }

  /// The contest about the identity of a file.
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

  /// The identities of the files that others take for the one given, in no order.
  func identities(claimedAs otherTag: UUIDBits) -> [UUIDBits] { identities.members(of: otherTag) }
}
