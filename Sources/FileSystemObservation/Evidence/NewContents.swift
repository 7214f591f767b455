import FileIdentity
import LinuxFileSystem

/// What is known of the contents of new files without a tag, until they are decided.
struct NewContents: Sendable {
  /// What has become of the question for a content.
  enum Finding: Equatable, Sendable {
    /// It is being read.
    case awaited
    case known(ContentDigest)
    /// The file was changed or renamed meanwhile; it is asked for again.
    case missed
    /// It could not be read in time, or not at all.
    case unknown
  }

  /// The finding about an inode with a size and a time.
  struct Record: Equatable, Sendable {
    var size: Int64
    var modified: Int64
    var finding: Finding
    /// When it was asked for first.
    var begun: MonotonicTime
  }

  private var records: [FileKey: Record] = [:]
  private var holders = Multimap<ContentDigest, FileKey>()
  private var awaitedSizes: [Int64: Int] = [:]
  /// The places of unannounced files without a tag, by the size that they had at the last look.
  private var places = Multimap<Int64, Place>()

  /// When new files were looked at last because of their sizes.
  var lastLooks: MonotonicTime?

  var count: Int { records.count }
  /// Whether any content is being read.
  var isAwaiting: Bool { !awaitedSizes.isEmpty }
  /// The inodes with findings, in no order.
  var keys: [FileKey] { Array(records.keys) }

  /// The finding about what a look found; `nil` if its content was never asked for.
  subscript(entry: Entry) -> Record? {
    guard let record = records[entry.key], record.size == entry.size, record.modified == entry.modified else {
      return nil
    }
    return record
  }

  /// Whether a file of a size is being read.
  func isAwaiting(size: Int64) -> Bool { awaitedSizes[size] != nil }

  /// The new inodes with a content, in no order.
  func inodes(with digest: ContentDigest) -> [FileKey] { holders.members(of: digest) }

  /// Whether a new file of a size may have a content: nobody knows that it has another.
  func mayBeAnywhere(_ digest: ContentDigest, size: Int64, keyAt: (Place) -> FileKey?) -> Bool {
    places.contains(size) { place in keyAt(place).map { mayBe(digest, $0) } ?? true }
  }

  /// Whether an inode may have a content.
  func mayBe(_ digest: ContentDigest, _ key: FileKey) -> Bool {
    switch records[key]?.finding {
    case nil, .awaited, .missed: true
    case .known(let found): found == digest
    case .unknown: false
    }
  }

  // MARK: - Changing

  mutating func set(_ finding: Finding, of entry: Entry, begun: MonotonicTime) {
    forget(entry.key)
    records[entry.key] = Record(size: entry.size, modified: entry.modified, finding: finding, begun: begun)
    switch finding {
    case .awaited: awaitedSizes[entry.size, default: 0] += 1
    case .known(let digest): holders.insert(entry.key, for: digest)
    case .unknown, .missed: break
    }
  }

  /// Takes an answer; whether anybody waits for it.
  mutating func answer(_ outcome: ContentAnswer.Outcome, _ question: ContentQuestion) -> Bool {
    guard var record = records[question.key], record.finding == .awaited, record.size == question.size,
      record.modified == question.modified
    else { return false }
    forget(question.key)
    switch outcome {
    case .digest(let digest):
      record.finding = .known(digest)
      holders.insert(question.key, for: digest)
    case .changed: record.finding = .missed
    case .unreadable: record.finding = .unknown
    }
    records[question.key] = record
    return true
  }

  mutating func forget(_ key: FileKey) {
    guard let record = records.removeValue(forKey: key) else { return }
    switch record.finding {
    case .awaited: awaitedSizes.countDown(record.size)
    case .known(let digest): holders.remove(key, for: digest)
    case .unknown, .missed: break
    }
  }

  mutating func insert(_ place: Place, size: Int64) { places.insert(place, for: size) }
  mutating func remove(_ place: Place, size: Int64) { places.remove(place, for: size) }

  func checkInvariants(_ report: inout InvariantReport) {
    let awaited = records.values.count { $0.finding == .awaited }
    report.expect(awaitedSizes.values.reduce(0, +) == awaited, "\(awaited) contents are awaited, counted otherwise")
  }
}
