import FileEvents
import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// A classifier alone: a script says what programs do, and its requests are answered with what the script has made.
///
/// There is no engine, no source and no thread. Every hint is followed before the next thing happens. `#expect` copies
/// what it calls a method of, which a classifier does not allow: tests compare the result of the call.
struct ScriptedClassifier: ~Copyable {
  var classifier: Classifier
  var disk = ScriptedDisk()
  /// Whether contents that are asked for are read.
  var answersContents = true
  /// The number of the last rename.
  var lastCookie: UInt32 = 0
  /// What has been announced, in words: `renamed a -> b`.
  private(set) var told: [String] = []
  /// What has been asked for, in words: `finish a`.
  private(set) var asked: [String] = []
  /// What the script got wrong, and the invariants that did not hold.
  private(set) var problems: [String] = []

  /// - Parameter setUp: A script; what is told of it is left out.
  init(_ setUp: String = "") {
    let root = ScriptedDisk.key(ScriptedDisk.root)
    classifier = Classifier(graph: FileGraph(root: root, uuid: UUIDBits(high: 0, low: 1), seed: 1))
    classifier.now = MonotonicTime(nanoseconds: 100_000_000_000)
    _ = classifier.takeChanges()
    if setUp.isEmpty { return }
    perform("\(setUp) …")
    forget()
  }

  /// Forgets what was told and asked so far.
  mutating func forget() {
    told = []
    asked = []
  }

  /// Runs a script, and expects exactly these sentences.
  mutating func run(
    _ script: String, tells expected: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    forget()
    perform(script)
    #expect(told == expected, "\(script)", sourceLocation: sourceLocation)
    #expect(problems == [], "\(script)", sourceLocation: sourceLocation)
  }

  /// The identity that the classifier has for a path.
  func identity(_ path: String) -> UUIDBits? {
    disk.place(path).flatMap { place($0) }.flatMap { classifier.graph.node(at: $0) }.map { classifier.graph[$0].uuid }
  }

  /// The tag of the file at a path.
  func tag(_ path: String) -> UUIDBits? {
    disk.place(path).flatMap { disk.number(at: $0) }.flatMap { disk[$0] }?.tag.uuid
  }

  /// Time of day: of file times, nothing counts but their differences.
  var wallClock: Int64 { classifier.now.nanoseconds }

  mutating func note(_ problem: String) { problems.append(problem) }

  /// Lets time pass: what is due is done when it is due.
  mutating func pass(_ nanoseconds: Int64) {
    let end = classifier.now + nanoseconds
    while let due = classifier.nextDeadline, due <= end {
      classifier.now = max(classifier.now, due)
      classifier.advance()
      takeIn()
    }
    classifier.now = end
  }
}

// MARK: - Hints and looks

extension ScriptedClassifier {
  /// The place by the classifier's numbers; `nil` for a directory that is not observed.
  func place(_ place: ScriptedDisk.Place) -> Place? {
    classifier.graph.node(with: ScriptedDisk.key(place.directory)).map {
      Place(parent: $0, name: FileName(place.name))
    }
  }

  /// The kernel says something of a name.
  mutating func tell(_ kinds: HintKinds, at where: ScriptedDisk.Place, cookie: UInt32 = 0) {
    guard let place = place(`where`) else { return }
    let hint = Hint(directory: MarkID(rawValue: 1), kinds: kinds, cookie: cookie, name: place.name)
    classifier.follow(hint, at: place)
    // As the engine does: nothing tells what happens in a new directory before it is marked.
    if kinds.contains(.directory), !kinds.isDisjoint(with: [.created, .movedTo]), !classifier.isOccupied(place) {
      look(at: place, .hint(kinds))
      answerRequests()
    }
  }

  /// Answers all requests, looks at all places, and takes what is to be told.
  mutating func takeIn() {
    answerRequests()
    // What the hints alone mean is told before anything is looked at.
    takeChanges()
    repeat {
      let places = classifier.takePlacesToInspect()
      for place in places.places { look(at: place, .hint(places.kinds(of: place))) }
      answerRequests()
    } while !classifier.placesToInspect.isEmpty
    takeChanges()
    problems += classifier.brokenInvariants(isThorough: true)
  }

  private mutating func takeChanges() {
    let log = classifier.takeChanges().whole
    told += log.records.map { $0.sentence(log) }
  }

  func entry(at place: Place) -> Entry? {
    disk.entry(at: onDisk(place), at: wallClock)
  }

  /// A directory that was renamed is found all the same: it stays open.
  func onDisk(_ place: Place) -> ScriptedDisk.Place {
    ScriptedDisk.Place(directory: classifier.graph.key(place.parent).inode, name: place.name.description)
  }

  mutating func look(at place: Place, _ cause: LookReason, isVerified: Bool = false) {
    guard classifier.graph.isLive(place.parent) else { return }
    if cause == .check, !isVerified, !isDecided(place) { return }
    classifier.observe(Look(place: place, entry: entry(at: place), cause: cause, isVerified: isVerified))
  }

  /// Whether what is found counts: what contradicts the hints must be found again.
  mutating func isDecided(_ place: Place) -> Bool {
    let found = entry(at: place)
    if classifier.expects(found, at: place) || classifier.aheadOfLog.isConfirmed(found?.key, at: place) { return true }
    classifier.awaitRecord(place, found?.key)
    return false
  }

  mutating func answerRequests() {
    while true {
      if classifier.requests.isEmpty { classifier.settleFoundMoves() }
      let requests = classifier.takeRequests()
      if requests.isEmpty { return }
      for request in requests {
        asked.append(text(request))
        answer(request)
      }
    }
  }
}

// MARK: - Sentences

extension ChangeRecord {
  fileprivate func sentence(_ log: ChangeLog) -> String {
    func path(_ range: Range<Int>?) -> String { range.map { String(decoding: log.paths[$0], as: UTF8.self) } ?? "" }
    let name = path(self.path)
    return switch kind {
    case .renamed, .moved: "\(kind) \(path(previousPath)) -> \(name)"
    case .duplicated: "\(kind) \(path(originalPath)) => \(name)"
    case .deleted: "\(kind) \(name) (\(reason ?? .removed))"
    case .discovered where isCopying: "discovered(copying) \(name)"
    case .discovered where isReturned: "discovered(returned) \(name)"
    default: "\(kind) \(name)"
    }
  }
}
