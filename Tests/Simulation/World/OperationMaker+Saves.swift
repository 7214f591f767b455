import FileIdentity
import LinuxFileSystem

// The ways in which programs are known to save a document.

extension OperationMaker {
  private func save(_ title: String, _ path: Path, _ more: [Path] = [], _ steps: [Step]) -> Operation {
    Operation(id: 0, title: title, steps: steps, intent: .save(path, isPlain: true), writes: [path] + more)
  }

  /// Writes an open file, in one or several pieces.
  private mutating func writes(_ file: Int) -> [Step] {
    var steps: [Step] = []
    for _ in 0..<1 + random.below(3) { steps += pause(longest: 400_000_000) + [Step(.write(file))] }
    return steps
  }

  mutating func saveInPlace() -> Operation? {
    guard let path = document() else { return nil }
    let truncating = random.chance(2, of: 3)
    var steps = [Step(.open(path, 0, truncating: truncating, creating: false))] + writes(0) + [Step(.close(0))]
    if random.chance(1, of: 4) {
      steps += pause(longest: 500_000_000)
      steps += [Step(.open(path, 0, truncating: false, creating: false)), Step(.write(0)), Step(.close(0))]
    }
    return save("save in place", path, [], steps)
  }

  mutating func saveByRename() -> Operation? {
    guard let path = document() else { return nil }
    if random.chance(1, of: 8), isDocument(path) { return saveSlowly(path) }
    let temporary = temporaryName(beside: path)
    var steps = [Step(.create(temporary, 0))] + writes(0)
    if random.chance(1, of: 4) {
      // GIO closes the file only after it has renamed it.
      steps += [Step(.rename(temporary, path, .replacing))] + pause(longest: 100_000_000) + [Step(.close(0))]
    } else {
      steps += [Step(.close(0))] + pause(longest: 600_000_000)
      if random.chance(1, of: 6) { steps.append(Step(.unlink(path))) }
      steps.append(Step(.rename(temporary, path, .replacing)))
    }
    return save("save by rename", path, [temporary], steps)
  }

  private static let slowSave = "save slowly"

  /// Takes so long that the new version is announced before it takes the document's place.
  private mutating func saveSlowly(_ path: Path) -> Operation {
    let temporary = versionName(of: path)
    var steps = [Step(.unlink(temporary), mayFail: true)]
    if random.chance(1, of: 3) {
      steps += Script.copy(path, temporary, .tagBeforeClose, file: 1, over: true)
    } else {
      steps += [Step(.create(temporary, 1))] + writes(1) + [Step(.close(1))]
    }
    for _ in 0..<random.below(3) {
      steps.append(Step(.sleep(random.time(1_000_000_000, 3_000_000_000))))
      steps += [Step(.open(temporary, 0, truncating: false, creating: false)), Step(.write(0)), Step(.close(0))]
    }
    steps.append(Step(.sleep(random.time(1_000_000, 3_000_000_000))))
    return save(Self.slowSave, path, [temporary], steps + [Step(.rename(temporary, path, .replacing))])
  }

  mutating func saveWithBackup() -> Operation? {
    guard let path = document() else { return nil }
    let isNamedSo = random.chance(4, of: 5)
    let backup = isNamedSo ? backupName(of: path) : temporaryName(beside: path)
    let temporary = temporaryName(beside: path)
    var steps: [Step] = []
    switch random.below(4) {
    case 0: steps = backupByLink(path, backup, temporary)
    case 1: steps = backupByCopy(path, backup)
    case 2: steps = backupThenRenameIn(path, backup, temporary)
    default:
      steps = [Step(.rename(path, backup, .replacing))] + pause(longest: 350_000_000)
      steps += [Step(.create(path, 0))] + writes(0) + [Step(.close(0))]
    }
    let isKept = random.chance(1, of: 2)
    if !isKept { steps += pause(longest: 300_000_000) + [Step(.unlink(backup))] }
    var operation = save("save with backup", path, [backup, temporary], steps)
    // A document that is renamed to any name and stays there, or is there for long, was renamed.
    let isLong = steps.reduce(0) { $0 + $1.action.pause } > 400_000_000
    if !isNamedSo { operation.intent = isKept || isLong ? .anything : .save(path, isPlain: false) }
    return operation
  }

  private mutating func backupByLink(_ path: Path, _ backup: Path, _ temporary: Path) -> [Step] {
    var steps = [Step(.unlink(backup), mayFail: true), Step(.link(path, backup))] + pause(longest: 100_000_000)
    steps += Script.create(temporary) + [Step(.rename(temporary, path, .replacing))]
    return steps
  }

  private mutating func backupByCopy(_ path: Path, _ backup: Path) -> [Step] {
    var steps = Script.copy(path, backup, random.pick(CopyStyle.allCases) ?? .plain, file: 1, over: true)
    steps += [Step(.open(path, 0, truncating: true, creating: false))] + writes(0) + [Step(.close(0))]
    return steps
  }

  private mutating func backupThenRenameIn(_ path: Path, _ backup: Path, _ temporary: Path) -> [Step] {
    var steps = [Step(.create(temporary, 0))] + writes(0) + [Step(.close(0))]
    steps += [Step(.rename(path, backup, .replacing))] + pause(longest: 300_000_000)
    return steps + [Step(.rename(temporary, path, .replacing))]
  }

  mutating func saveByUnlinking() -> Operation? {
    guard let path = document() else { return nil }
    var steps = [Step(.unlink(path))] + pause(longest: 350_000_000)
    steps += [Step(.create(path, 0))] + writes(0) + [Step(.close(0))]
    return save("save by unlinking", path, [], steps)
  }

  /// A file without a name is linked in.
  mutating func saveUnnamed() -> Operation? {
    guard let path = document() else { return nil }
    let temporary = temporaryName(beside: path)
    var steps = [Step(.createUnnamed(in: path.parent, 0))] + writes(0)
    if random.chance(1, of: 2) {
      steps += [Step(.linkUnnamed(0, temporary)), Step(.rename(temporary, path, .replacing)), Step(.close(0))]
    } else {
      steps += [Step(.unlink(path)), Step(.linkUnnamed(0, path)), Step(.close(0))]
    }
    return save("save unnamed", path, [temporary], steps)
  }

  mutating func saveByExchange() -> Operation? {
    guard let path = document() else { return nil }
    let temporary = temporaryName(beside: path)
    var steps = [Step(.create(temporary, 0))] + writes(0) + [Step(.close(0))]
    steps.append(Step(.rename(temporary, path, .exchanging)))
    steps += pause(longest: 300_000_000) + [Step(.unlink(temporary))]
    return save("save by exchange", path, [temporary], steps)
  }

  private static let saves: [OperationKind] = [
    .saveInPlace, .saveByRename, .saveWithBackup, .saveByUnlinking, .saveUnnamed, .saveByExchange,
  ]

  /// A document is saved and renamed, or renamed and saved, by one program in one go.
  mutating func saveAndRename() -> Operation? {
    guard let kind = random.pick(Self.saves), var operation = choose(kind),
      case .save(let path, _) = operation.intent, let to = freePath(in: path.parent)
    else { return nil }
    let rename = Step(.rename(path, to, .notReplacing))
    // What a slow save makes is named after the document, as a backup is.
    if kind == .saveWithBackup || operation.title == Self.slowSave || random.chance(1, of: 2) {
      operation.steps.append(rename)
    } else {
      operation = operation.map { $0 == path ? to : $0 }
      operation.steps.insert(rename, at: 0)
    }
    operation.writes += [path, to]
    operation.intent = .saveAndMove(path, to: to)
    operation.title += " and rename"
    return operation
  }
}
