import ObservationCorpus

/// Finds the windows of a recording.
///
/// A document that was absent from its path for less than the settle window remains so, and one that was for longer,
/// too. A new file that is closed rests for less than the quiet period until something more happens to it, or for so
/// long that it counts as finished. A folder that is there for a moment is there for a moment.
struct WindowFinder {
  private static let absence = 400.0
  private static let rest = 600.0
  private static let undoubted = 1_000.0

  private let recording: Recording
  private(set) var windows: [TimeWindow] = []
  /// Since which operation a name is gone.
  private var absent: [String: Int] = [:]
  /// Since which operation a new file rests.
  private var resting: [String: Int] = [:]
  /// Since which operation a file has a name by a rename.
  private var renamed: [String: Int] = [:]
  /// Since which operation a folder is there.
  private var made: [String: Int] = [:]
  /// How often a new file is open, by its name.
  private var opens: [String: Int] = [:]
  /// The names of files without a name.
  private var linked: [String: String] = [:]

  private init(_ recording: Recording) {
    self.recording = recording
  }

  static func windows(of recording: Recording) -> [TimeWindow] {
    var finder = WindowFinder(recording)
    for (index, operation) in recording.operations.enumerated() { finder.follow(operation, index) }
    return finder.windows
  }

  private mutating func follow(_ operation: Recording.Operation, _ index: Int) {
    let path = linked[operation.path] ?? operation.path
    let other = operation.to ?? ""
    switch operation.op {
    case .create: create(path, index)
    case .open:
      use(path, index)
      opens[path]? += 1
    case .close: close(path, index)
    case .linktmp: link(path, other, index)
    case .link: arrive(other, index)
    case .symlink, .movein: arrive(path, index)
    case .mkdir:
      arrive(path, index)
      made[path] = index
    case .unlink, .rmdir, .moveout: leave(path, index)
    case .rename: rename(path, other, index)
    case .exchange: for path in [path, other] { touch(path, index) }
    case .copytag: touch(other, index)
    case .tmpfile, .write, .chmod: break
    }
  }
}

// MARK: - What happens to names

extension WindowFinder {
  private mutating func create(_ path: String, _ index: Int) {
    arrive(path, index)
    use(path, index)
    if recording.before[path] == nil { opens[path, default: 0] += 1 }
  }

  private mutating func link(_ unnamed: String, _ path: String, _ index: Int) {
    arrive(path, index)
    linked[unnamed] = path
    if recording.before[path] == nil { opens[path] = 1 }
  }

  private mutating func close(_ path: String, _ index: Int) {
    guard let count = opens[path] else { return }
    opens[path] = max(0, count - 1)
    rest(path, index)
  }

  private mutating func leave(_ path: String, _ index: Int) {
    absent[path] = index
    use(path, index)
    keep(renamed.removeValue(forKey: path), index, within: Self.absence, else: nil)
    keep(made.removeValue(forKey: path), index, within: Self.absence, else: nil)
    opens[path] = nil
  }

  private mutating func rename(_ old: String, _ new: String, _ index: Int) {
    let count = opens[old]
    let start = resting[old]
    leave(old, index)
    arrive(new, index)
    use(new, index)
    for (name, path) in linked where path == old { linked[name] = new }
    renamed[new] = index
    opens[new] = recording.before[new] == nil ? count : nil
    // A rename is no activity: it goes on resting.
    rest(new, start ?? index)
  }

  private mutating func touch(_ path: String, _ index: Int) {
    use(path, index)
    rest(path, index)
  }

  private mutating func rest(_ path: String, _ index: Int) {
    if opens[path] == 0 { resting[path] = index }
  }

  private mutating func arrive(_ path: String, _ index: Int) {
    keep(absent.removeValue(forKey: path), index, within: Self.absence, else: .atLeast(Self.undoubted))
  }

  private mutating func use(_ path: String, _ index: Int) {
    keep(resting.removeValue(forKey: path), index, within: Self.rest, else: .notBetween(Self.rest, Self.undoubted))
  }

  /// What was short remains short.
  private mutating func keep(_ first: Int?, _ last: Int, within longest: Double, else rule: TimeWindow.Rule?) {
    guard let first else { return }
    let recorded = recording.operations[last].ms - recording.operations[first].ms
    let rule = recorded <= longest ? .atMost(longest) : rule
    if let rule { windows.append(TimeWindow(first: first, last: last, rule: rule)) }
  }
}
