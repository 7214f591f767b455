import FileIdentity
import FileSystemObservation
import LinuxFileSystem
import ObservationCorpus

/// What an application did, as a program of the simulated machine.
struct RecordedProgram {
  private let places: Places
  private let names: NameTable
  /// Whether a path is one of the observed folder.
  private let isKnown: (String) -> Bool
  private var steps: [Step] = []
  /// Open files by the name they go by; several where a file is open more than once.
  private var files: [String: [Int]] = [:]
  private var nextFile = 0

  init(_ names: NameTable, _ places: Places, isKnown: @escaping (String) -> Bool = { _ in true }) {
    self.names = names
    self.places = places
    self.isKnown = isKnown
  }

  /// The program, for whose intent the grader speaks.
  static func operation(_ recording: Recording, _ names: NameTable, _ places: Places) -> Operation {
    var program = RecordedProgram(names, places, isKnown: recording.knows)
    var steps: [Step] = []
    var now = 0.0
    for operation in recording.operations {
      let pause = Int64((operation.ms - now) * 1_000_000)
      if pause > 0 { steps.append(Step(.sleep(pause))) }
      now = operation.ms
      steps += program.steps(of: operation)
    }
    let paths = recording.operations.flatMap { [$0.path, $0.to].compactMap { $0 } }
    return Operation(
      id: 1, title: recording.case, steps: steps, intent: .anything, writes: Set(paths).map(program.path))
  }

  /// The calls of one operation.
  mutating func steps(of operation: Recording.Operation) -> [Step] {
    steps = []
    append(operation)
    return steps
  }

  func path(_ text: String) -> Path { Path(places.tree.names + names.path(text).names) }
  private func outside(_ text: String) -> Path { Path(places.outside.names + names.path(text).names) }

  private mutating func append(_ action: Action, mayFail: Bool = false) {
    steps.append(Step(action, mayFail: mayFail))
  }

  private mutating func append(_ operation: Recording.Operation) {
    let path = path(operation.path)
    let other = self.path(operation.to ?? "")
    switch operation.op {
    case .create: append(.open(path, file(operation.path), truncating: true, creating: true))
    case .open: append(.open(path, file(operation.path), truncating: false, creating: false))
    case .tmpfile: append(.createUnnamed(in: path.parent, file(operation.path)))
    case .linktmp: if let file = files[operation.path]?.last { append(.linkUnnamed(file, other)) }
    case .write: if let file = files[operation.path]?.last { append(.write(file)) }
    case .close: if let file = files[operation.path]?.popLast() { append(.close(file)) }
    case .rename, .exchange: rename(operation, path, other)
    case .link: append(.link(path, other))
    case .symlink: append(.make(.symlink, path))
    case .unlink: append(.unlink(path))
    case .mkdir: append(.make(.directory, path))
    case .rmdir: append(.rmdir(path))
    case .chmod: append(.chmod(path, operation.mode.flatMap { UInt32($0, radix: 8) } ?? 0o644))
    case .copytag: copyTag(operation, path, other)
    case .movein: append(.rename(outside(operation.path), path, .replacing))
    case .moveout: moveOut(operation.path, path)
    }
  }

  private mutating func file(_ path: String) -> Int {
    defer { nextFile += 1 }
    files[path, default: []].append(nextFile)
    return nextFile
  }

  /// Whoever has a file open may go by its new name from now on.
  private mutating func rename(_ operation: Recording.Operation, _ path: Path, _ other: Path) {
    let new = operation.to ?? ""
    let isExchange = operation.op == .exchange
    append(.rename(path, other, isExchange ? .exchanging : .replacing))
    let moved = files.removeValue(forKey: operation.path)
    if isExchange { files[operation.path] = files[new] }
    guard let moved else { return }
    if !isExchange { for file in files[new] ?? [] { append(.close(file)) } }
    files[new] = moved
  }

  /// What was not in the tree bears the tag that was recorded.
  private mutating func copyTag(_ operation: Recording.Operation, _ path: Path, _ other: Path) {
    if isKnown(operation.path) {
      append(.readTag(path))
      append(.writeTag(other))
    } else if let tag = operation.tag {
      append(.setTag(other, .uuid(UUIDBits(tag))))
    }
  }

  private mutating func moveOut(_ text: String, _ path: Path) {
    var folder = places.outside
    for name in names.path(text).names.dropLast() {
      folder = folder.appending(name)
      append(.make(.directory, folder), mayFail: true)
    }
    append(.rename(path, outside(text), .replacing))
  }
}

extension Recording {
  fileprivate func knows(_ path: String) -> Bool {
    before[path] != nil || operations.contains { $0.to == path || $0.op == .create && $0.path == path }
  }
}
