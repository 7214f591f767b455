import FileIdentity
import LinuxFileSystem

/// How far the writing of a file has come.
struct Progress: Equatable, Sendable {
  var firstSeen: MonotonicTime
  var lastActivity: MonotonicTime
  /// Whether a writer has closed the file, and no write has been seen since.
  var isClosed = false
  /// Whether content was seen to be written.
  var isWritten = false
  var size: Int64
  var modified: Int64
  /// Whether the file took the place of a document's old inode: then `modified` is due, whatever the contents.
  var isSave = false
  /// Came by a rename from outside the tree, complete as far as anyone can tell.
  var cameFromOutside = false
  /// Whether `size` and `modified` are what was found at the last look, with no event since: then a difference is a write unseen.
  var isLookedAt = true
  /// How often it was looked at without being finished.
  var checks = 0
  var nextCheck: MonotonicTime

  init(_ entry: Entry, at now: MonotonicTime, nextCheck: MonotonicTime) {
    firstSeen = now
    lastActivity = now
    size = entry.size
    modified = entry.modified
    self.nextCheck = nextCheck
  }
}

/// A newcomer that has not been announced.
struct Arrival: Sendable {
  var entry: Entry
  var progress: Progress
}

/// An entry whose name is missing, or stands for another inode by now.
///
/// What has been told of it still holds until it is resolved.
struct Displacement: Sendable {
  enum Whereabouts: Equatable, Sendable {
    /// Renamed perhaps; or overwritten, or removed while nobody looked.
    case unknown
    /// Its inode is at this place, and it is not decided whether that is a rename or a save.
    case at(Place)
    /// Its name was removed, or another file was moved over it.
    case gone
    /// Renamed to where nobody looks: the other half of the rename has not come, and cannot come any more.
    case outside
  }

  var whereabouts: Whereabouts
  var since: MonotonicTime
  var due: MonotonicTime
  /// Whether its name left by a rename.
  var leftByRename: Bool

  /// Whether something that stands in the entry's place now may be taken for its successor.
  var isDecided: Bool {
    switch whereabouts {
    case .unknown: false
    case .at, .gone, .outside: true
    }
  }
  /// Whether it changed places with a newcomer.
  var isExchange = false
}

/// What left a place by a rename whose other half is still to come.
enum Departure: Sendable {
  case entry(NodeID, FileKey)
  case arrival(Arrival, from: Place)
  /// A newcomer that nobody has looked at yet, and that took this entry's place before.
  case successor(NodeID)
  /// Nothing that is known: the name is not observed, or came and went unseen.
  case unseen
}

/// A place that a document left by a rename a moment ago.
struct Vacancy: Sendable {
  var node: NodeID
  var key: FileKey
  var since: MonotonicTime
}

/// Identities that ended, so that one that comes back is recognised.
///
/// Bounded: the oldest is forgotten first.
struct DepartedIdentities: Sendable {
  private static let limit = 65_536
  private var known: Set<UUIDBits> = []
  private var order: [UUIDBits] = []
  private var oldest = 0

  mutating func insert(_ uuid: UUIDBits) {
    guard known.insert(uuid).inserted else { return }
    if order.count < Self.limit {
      order.append(uuid)
      return
    }
    known.remove(order[oldest])
    order[oldest] = uuid
    oldest = (oldest + 1) % Self.limit
  }

  func contains(_ uuid: UUIDBits) -> Bool { known.contains(uuid) }
}
