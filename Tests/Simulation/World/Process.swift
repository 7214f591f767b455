import FileIdentity
import LinuxFileSystem
import SystemPackage

/// An operation on its way.
final class Process {
  let operation: Operation
  private let disk: SimulatedDisk
  /// The next step last.
  private var steps: [Step]
  private var files: [Int: OpenFile] = [:]
  private var tag = TagValue.none
  /// The time of modification that was read with it.
  private var modified: Int64?
  /// It sleeps until then.
  private(set) var wakes: Int64 = 0
  private(set) var failure: Errno?
  /// Whether it made a call by itself that its observer should have made.
  var isBypassing = false
  /// How long it was kept from going on, in all: the longer, the less can be told of what it means to do.
  private(set) var delay: Int64 = 0
  private var lastStep: Int64?

  /// When it started.
  let began: Int64

  init(_ operation: Operation, _ disk: SimulatedDisk) {
    self.operation = operation
    self.disk = disk
    began = disk.now
    steps = operation.steps.reversed()
  }

  var isDone: Bool { steps.isEmpty }
  /// How many steps are to be done, as far as that is known: some become several.
  var stepCount: Int { steps.count }
  var isReady: Bool { !steps.isEmpty && wakes <= disk.now }
  var nextAction: Action? { steps.last?.action }

  /// Does the next step.
  ///
  /// - Parameter interrupted: Whether a rename's second event is to come later.
  func step(interrupted: Bool = false) {
    guard let step = steps.popLast() else { return }
    if let lastStep { delay += max(0, disk.now - max(lastStep, wakes)) }
    lastStep = disk.now
    do throws(Errno) {
      try perform(step.action, interrupted)
    } catch {
      if !step.mayFail { fail(error) }
    }
    if steps.isEmpty { exit() }
  }

  private func fail(_ error: Errno) {
    failure = error
    steps = []
  }

  /// What is open is closed when a program ends.
  private func exit() {
    for number in files.keys.sorted() { close(number) }
  }

  private func close(_ number: Int) {
    if let file = files.removeValue(forKey: number) { disk.close(file) }
  }

  /// Nothing that was open under a number is forgotten: it would stay open for ever.
  private func put(_ file: OpenFile, _ number: Int) {
    close(number)
    files[number] = file
  }

  private func file(_ number: Int) throws(Errno) -> OpenFile {
    guard let file = files[number] else { throw .badFileDescriptor }
    return file
  }

  /// Does one call that is none of its steps.
  func call(_ action: Action) -> Errno? {
    do throws(Errno) {
      try perform(action, false)
      return nil
    } catch {
      return error
    }
  }

  private func perform(_ action: Action, _ interrupted: Bool) throws(Errno) {
    switch action {
    case .create(let path, let number): put(try disk.create(path), number)
    case .open(let path, let number, let truncating, let creating):
      put(try disk.open(path, truncating: truncating, creating: creating), number)
    case .createUnnamed(let path, let number): put(try disk.createUnnamed(in: path), number)
    case .write(let number): disk.write(try file(number), 100)
    case .writeMapped(let number): disk.writeMapped(try file(number))
    case .close(let number): close(number)
    case .linkUnnamed(let number, let path): try disk.link(try file(number), path)
    case .make(let kind, let path): try disk.make(kind, path)
    case .link(let old, let new): try disk.link(old, new)
    case .unlink(let path): try disk.unlink(path)
    case .rmdir(let path): try disk.rmdir(path)
    case .rename(let old, let new, let mode): try disk.rename(old, new, mode, interrupted: interrupted)
    case .sleep(let time): wakes = disk.now + time
    default: try performMore(action)
    }
  }

  private func performMore(_ action: Action) throws(Errno) {
    switch action {
    case .readTag(let path):
      let inode = try disk.lookUp(path).inode
      (tag, modified) = (inode.tag, inode.modified)
    case .writeTag(let path): try writeTag(try disk.lookUp(path), tag)
    case .writeTagOfOpen(let number): try writeTag(try file(number).dentry, tag)
    case .writeTime(let path): writeTime(try disk.lookUp(path))
    case .writeTimeOfOpen(let number): writeTime(try file(number).dentry)
    case .setTag(let path, let value): try disk.setTag(try disk.lookUp(path), value)
    case .touch(let path): try disk.touch(path)
    case .chmod(let path, let mode): try disk.chmod(path, mode)
    case .own(let action, _): try perform(action, false)
    case .removeTree(let path): try expandRemoval(path)
    case .copyTree(let from, let to, let style): try expandCopy(from, to, style)
    default: break
    }
  }

  private func writeTime(_ dentry: Dentry) {
    if let modified { disk.setTime(dentry, modified) }
  }

  private func writeTag(_ dentry: Dentry, _ value: TagValue) throws(Errno) {
    if value != .none { try disk.setTag(dentry, value) }
  }
}

// MARK: - What depends on what is there

extension Process {
  private func expandRemoval(_ path: Path) throws(Errno) {
    let inode = try disk.lookUp(path).inode
    guard inode.kind == .directory else {
      steps.append(Step(.unlink(path), mayFail: true))
      return
    }
    steps.append(Step(.rmdir(path), mayFail: true))
    for entry in inode.entries { steps.append(Step(.removeTree(path.appending(entry.name)), mayFail: true)) }
  }

  private func expandCopy(_ from: Path, _ to: Path, _ style: CopyStyle) throws(Errno) {
    let inode = try disk.lookUp(from).inode
    switch inode.kind {
    case .file: append(Script.copy(from, to, style, file: 0, over: false))
    case .directory: expandDirectory(inode, from, to, style)
    case .symlink, .special: steps.append(Step(.make(inode.kind, to), mayFail: true))
    }
  }

  private func expandDirectory(_ inode: Inode, _ from: Path, _ to: Path, _ style: CopyStyle) {
    // As `cp` does: a folder that was moved meanwhile is not copied into itself.
    if to.isInside(from) { return }
    if style.carriesTag { append([Step(.readTag(from), mayFail: true), Step(.writeTag(to), mayFail: true)]) }
    for entry in inode.entries {
      steps.append(
        Step(.copyTree(from.appending(entry.name), to.appending(entry.name), style), mayFail: true))
    }
    steps.append(Step(.make(.directory, to), mayFail: true))
  }

  private func append(_ more: [Step]) { steps.append(contentsOf: more.reversed()) }
}
