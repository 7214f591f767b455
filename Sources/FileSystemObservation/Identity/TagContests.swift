import FileIdentity
import LinuxFileSystem

/// Two who write different tags on one file.
struct TagContest: Sendable {
  /// What the other one writes.
  var rival: UUIDBits
  var rounds: Int
  var latest: MonotonicTime
  /// How long the next round may take to come, in nanoseconds.
  var pace: Int64
}

/// Identities of files whose tag somebody else writes, too; found by what the other one writes as well.
///
/// Those that are over are forgotten when there are many.
struct TagContests: Sendable {
  private var contests = RecentTable<UUIDBits, TagContest>()
  private var identities = Multimap<UUIDBits, UUIDBits>()

  var count: Int { contests.count }

  /// The contest about the identity of a file.
  subscript(identity: UUIDBits) -> TagContest? { contests[identity] }

  mutating func set(_ contest: TagContest, for identity: UUIDBits, _ now: MonotonicTime) {
    remove(identity)
    identities.insert(identity, for: contest.rival)
    for (old, over) in contests.set(contest, for: identity, keeping: { now - $0.latest < $0.pace }) {
      identities.remove(old, for: over.rival)
    }
  }

  mutating func remove(_ identity: UUIDBits) {
    guard let contest = contests[identity] else { return }
    identities.remove(identity, for: contest.rival)
    contests[identity] = nil
  }

  /// The identities of the files that others take for the one given, in no order.
  func identities(claimedAs rival: UUIDBits) -> [UUIDBits] { identities.members(of: rival) }
}
