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
  /// Whether its inode was there before: as a document that has a further name now, or was saved.
  var isOld = false
  /// Came to its place by a rename, so that it is no further name made there.
  var cameByRename = false
  /// Came by a rename from outside the tree, complete as far as anyone can tell.
  var cameFromOutside = false
  /// Which recovery has found it, where no hint did.
  var recovery: Int?
  /// Whether it was there before it was observed, and has rested since: it has not arrived.
  var isRevealed = false
  /// Whether it is known to be complete, so that no quiet period is awaited.
  var isComplete = false
  /// Whether it was announced under an identity that has ended since: its tag is of no account.
  var wasAbsorbed = false
  /// When a document is to be told as modified at the latest, though it is still being written; nothing for what has
  /// not been announced.
  var tellBy: MonotonicTime?
  /// Whether it was told as modified since the writing began.
  var isTold = false
  /// Whether `size` and `modified` are what was found at the last look, with no event since: then a difference is a
  /// write unseen.
  var isLookedAt = true
  /// Whether it stands for a document and was not renamed over it: so it may have been moved by copying.
  var mayBeCarried = false
  /// The inode that stood here before a save, should the save put it back.
  var former: FileKey?
  /// When that inode left by a rename whose other half nobody saw, so that it may turn up where nobody looked yet.
  var formerLeft: MonotonicTime?
  /// How often it was looked at without being finished.
  var checks = 0
  /// Whether it is no further name of a known file, though nobody has looked at it: such a name is made at its place,
  /// and not written.
  var isNoLink: Bool { isWritten || isClosed || cameByRename }
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
  /// What was found when it was looked at; nothing while only the kernel has told of it.
  var entry: Entry?
  /// Its inode, where that is known: an unseen newcomer's is not, unless it is the old inode of a document that was
  /// saved.
  var key: FileKey
  /// What it is, where that is known.
  var kind: FileKind?
  var progress: Progress
  /// Where it was before it was renamed to where it is.
  var previous: Place?
  /// Whether it came from a name of which it was not known what had it: an entry that is missing, perhaps.
  var mayBeMissed = false
  /// Whether what was found when it was looked at last was a document that had gone away.
  var mayBeBack = false

  init(_ entry: Entry, _ progress: Progress) {
    self.entry = entry
    key = entry.key
    kind = entry.kind
    self.progress = progress
  }

  /// A newcomer that nobody has looked at.
  init(unseen key: FileKey = .unseen, _ kind: FileKind? = nil, at now: MonotonicTime, nextCheck: MonotonicTime) {
    self.key = key
    self.kind = kind
    progress = Progress(now: now, size: -1, modified: 0, nextCheck: nextCheck)
    progress.isLookedAt = false
  }

  /// From now on, a file is whatever is found at the next look.
  mutating func forgetLook() {
    guard entry?.kind == .file else { return }
    entry = nil
    key = .unseen
    kind = nil
    progress.isLookedAt = false
  }
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
  /// Whether it changed places with a newcomer.
  var isExchange = false
  /// Whether its inode was found where it is, and no hint has told of it.
  var isFound = false
  /// Whether it was put aside for a newcomer that was renamed to its place.
  var isAside = false

  /// Whether it left by a rename, and did not end after that.
  var hasLeft: Bool { leftByRename && whereabouts != .gone }

  /// Whether something that stands in the entry's place now may be taken for its successor.
  var isDecided: Bool {
    switch whereabouts {
    case .unknown: false
    case .at, .gone, .outside: true
    }
  }
}

/// Who bears a tag while it is not decided what it says.
enum TagHolder: Hashable, Sendable {
  case arrival(Place)
  /// An entry that is being written.
  case entry(NodeID)
}

/// What stands at a place as far as the hints have told, whether or not it is told or even known what it is.
enum Occupant: Sendable {
  case entry(NodeID)
  case arrival(Arrival)
  /// Nothing that is known: the name is not observed, or what is there came unseen.
  case unknown
}

/// What left a place by a rename whose other half is still to come.
struct Departure: Sendable {
  var occupant: Occupant
  /// The place it left.
  let place: Place
  /// Whether the entry is what was known to be at the place later: perhaps another has left it.
  let isGuess: Bool
  private let directoryKey: FileKey
  private var key = FileKey.unseen

  init(_ occupant: Occupant, isGuess: Bool = false, from place: Place, in graph: FileGraph) {
    self.occupant = occupant
    self.place = place
    self.isGuess = isGuess
    directoryKey = graph.key(place.parent)
    if case .entry(let id) = occupant { key = graph.key(id) }
  }

  /// Whether the directory it left is still there.
  func hasPlace(in graph: FileGraph) -> Bool { graph.isLive(place.parent) && graph.key(place.parent) == directoryKey }

  /// Whether the entry is what it was: by the time the other half comes, its number may be another's, or it may have
  /// been saved.
  func isStill(_ id: NodeID, in graph: FileGraph) -> Bool {
    graph.isLive(id) && (key == .unseen || graph.key(id) == key)
  }
}

/// Something was found that no hint has explained yet.
struct Unexplained: Sendable {
  /// The inode; nothing where the name was missing.
  var key: FileKey?
  /// How many hints of the directory had been followed up.
  var hintCount: Int
  /// When to look again.
  var due: MonotonicTime
}

/// Identities that ended, so that one that comes back is recognised.
///
/// Bounded: the oldest is forgotten first.
struct DepartedIdentities: Sendable {
  private static let limit = 65_536
  private var keys: [UUIDBits: FileKey] = [:]
  private var order: [UUIDBits] = []
  private var oldest = 0

  mutating func insert(_ uuid: UUIDBits, _ key: FileKey) {
    guard keys.updateValue(key, forKey: uuid) == nil else { return }
    if order.count < Self.limit {
      order.append(uuid)
      return
    }
    keys[order[oldest]] = nil
    order[oldest] = uuid
    oldest = (oldest + 1) % Self.limit
  }

  func contains(_ uuid: UUIDBits) -> Bool { keys[uuid] != nil }

  /// The inode with which an identity went away.
  func key(of uuid: UUIDBits) -> FileKey? { keys[uuid] }

  /// Whether an identity went away with this very inode.
  func contains(_ uuid: UUIDBits, on key: FileKey) -> Bool { keys[uuid] == key }

  /// Whether an identity went away with another inode than this.
  func contains(_ uuid: UUIDBits, onOtherThan key: FileKey) -> Bool { keys[uuid].map { $0 != key } ?? false }
}
