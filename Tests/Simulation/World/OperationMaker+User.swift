import FileIdentity
import FileSystemObservation
import LinuxFileSystem

// What users do, and the tools they do it with.

extension OperationMaker {
  private func operation(
    _ title: String, _ intent: Intent, reads: [Path] = [], writes: [Path], _ steps: [Step]
  ) -> Operation {
    Operation(id: 0, title: title, steps: steps, intent: intent, reads: reads, writes: writes)
  }

  mutating func createFile() -> Operation? {
    guard let path = freePath(in: directory()) else { return nil }
    let writes = random.below(4)
    let pause = random.chance(1, of: 4) ? random.time(1_000_000, 3_000_000_000) : 0
    return operation(
      "create", .create(path), writes: [path], Script.create(path, writes: writes, pause: pause))
  }

  mutating func createDirectory() -> Operation? {
    guard let path = freePath(in: directory(), kind: .directory) else { return nil }
    return operation("mkdir", .anything, writes: [path], [Step(.make(.directory, path))])
  }

  /// `mkdir -p` and files in it at once.
  mutating func createTree() -> Operation? {
    guard let top = freePath(in: directory(), kind: .directory) else { return nil }
    var steps = [Step(.make(.directory, top))]
    var path = top
    for _ in 0..<1 + random.below(4) {
      steps += Script.create(path.appending(names.number("f\(random.below(3))"))).map { Step($0.action, mayFail: true) }
      path = path.appending(names.number("e\(random.below(2))"))
      steps.append(Step(.make(.directory, path)))
    }
    return operation("create tree", .anything, writes: [top], steps)
  }

  mutating func createOther() -> Operation? {
    guard let path = freePath(in: directory()) else { return nil }
    let kind: FileKind = random.chance(2, of: 3) ? .symlink : .special
    return operation("make \(kind)", .anything, writes: [path], [Step(.make(kind, path))])
  }

  mutating func rename(toOtherDirectory: Bool) -> Operation? {
    guard let from = document() else { return nil }
    guard let to = freePath(in: toOtherDirectory ? directory() : from.parent) else { return nil }
    return operation(
      "rename", .move(from, to: to), writes: [from, to],
      [Step(.rename(from, to, random.chance(1, of: 4) ? .notReplacing : .replacing))])
  }

  mutating func moveDirectory(toOtherDirectory: Bool) -> Operation? {
    guard let from = folder() else { return nil }
    guard let to = freePath(in: toOtherDirectory ? directory() : from.parent, kind: .directory) else { return nil }
    return operation(
      "move directory", .move(from, to: to), writes: [from, to], [Step(.rename(from, to, .replacing))])
  }

  mutating func moveOver() -> Operation? {
    guard let from = document(), let to = document(), from != to else { return nil }
    return operation("move over", .moveOver(from, to: to), writes: [from, to], [Step(.rename(from, to, .replacing))])
  }

  mutating func exchange() -> Operation? {
    guard let first = document(), let second = document(), first != second else { return nil }
    return operation(
      "exchange", .exchange(first, second, isDirect: true), writes: [first, second],
      [Step(.rename(first, second, .exchanging))])
  }

  mutating func swapOverThird() -> Operation? {
    guard let first = document(), let second = document(), first != second else { return nil }
    guard let third = freePath(in: first.parent) else { return nil }
    var steps = [Step(.rename(first, third, .replacing))] + pause(longest: 100_000_000)
    steps.append(Step(.rename(second, first, .replacing)))
    steps += pause(longest: 100_000_000) + [Step(.rename(third, second, .replacing))]
    return operation("swap", .exchange(first, second, isDirect: false), writes: [first, second, third], steps)
  }

  mutating func remove() -> Operation? {
    guard !random.chance(1, of: 5) else { return removeOther() }
    return document().flatMap { remove($0) }
  }

  mutating func removeOther() -> Operation? { random.pick(census.others).flatMap { remove($0.path) } }

  private func remove(_ path: Path) -> Operation {
    operation("rm", .remove(path, .removed), writes: [path], [Step(.unlink(path))])
  }

  /// What was put in the trash, or elsewhere outside the observed tree, goes for good.
  mutating func removeOutside() -> Operation? {
    guard let path = random.pick(census.outside)?.path else { return nil }
    return operation("empty trash", .anything, writes: [path], [Step(.removeTree(path))])
  }

  mutating func removeTree() -> Operation? {
    guard let path = folder() else { return nil }
    return operation("rm -r", .remove(path, .removed), writes: [path], [Step(.removeTree(path))])
  }

  mutating func moveOut(to place: Path) -> Operation? {
    guard let from = item() else { return nil }
    guard let to = freePath(in: place) else { return nil }
    let reason: DeletionReason = place == places.trash ? .trashed : .movedOut
    return operation("move out", .remove(from, reason), writes: [from, to], [Step(.rename(from, to, .replacing))])
  }

  mutating func moveIn() -> Operation? {
    guard let from = random.pick(census.outside)?.path, let to = freePath(in: directory()) else { return nil }
    return operation("move in", .anything, writes: [from, to], [Step(.rename(from, to, .replacing))])
  }
}

// MARK: - Copies

extension OperationMaker {
  private mutating func style() -> CopyStyle { random.pick(CopyStyle.allCases) ?? .plain }

  mutating func copy() -> Operation? {
    guard let from = document(), let to = freePath(in: directory()) else { return nil }
    let style = style()
    return operation(
      "copy \(style)", .copy(from, to: to, carriesTag: style.carriesTag), reads: [from], writes: [to],
      Script.copy(from, to, style, file: 0, over: false))
  }

  mutating func copyOver() -> Operation? {
    guard let from = document(), let to = document(), from != to else { return nil }
    let style = style()
    return operation(
      "copy over \(style)", .copyOver(from, to: to), reads: [from], writes: [to],
      Script.copy(from, to, style, file: 0, over: true))
  }

  mutating func copyDirectory() -> Operation? {
    guard let from = folder() else { return nil }
    guard let to = freePath(in: directory(), kind: .directory), !to.isInside(from) else { return nil }
    return operation(
      "copy directory", .anything, reads: [from], writes: [to], [Step(.copyTree(from, to, style()))])
  }

  mutating func link() -> Operation? {
    guard let from = document(), let to = freePath(in: directory()) else { return nil }
    return operation("link", .anything, writes: [from, to], [Step(.link(from, to))])
  }

  mutating func download() -> Operation? {
    guard let to = freePath(in: directory()) else { return nil }
    let name = to.last.map { names.name($0).description } ?? "x"
    let suffix = random.pick([".part", ".crdownload"]) ?? ".part"
    let partial = to.parent.appending(names.number(name + suffix))
    var steps: [Step] = []
    let hasPlaceholder = random.chance(1, of: 2)
    if hasPlaceholder { steps += [Step(.create(to, 1)), Step(.close(1))] }
    steps.append(Step(.create(partial, 0)))
    for _ in 0..<1 + random.below(3) { steps += pause(longest: 3_000_000_000) + [Step(.write(0))] }
    steps += [Step(.close(0)), Step(.rename(partial, to, .replacing))]
    return operation("download", .create(to), writes: [to, partial], steps)
  }

  /// A document gets another name, and another document the one it had.
  mutating func renameAndMakeAnew() -> Operation? {
    guard let from = document(), let to = freePath(in: from.parent) else { return nil }
    let steps = [Step(.rename(from, to, .notReplacing))] + Script.create(from)
    return operation("rename and make anew", .saveAndMove(from, to: to), writes: [from, to], steps)
  }

  /// `mv` between file systems: a copy with its tag, then the original goes.
  mutating func moveBetweenDevices() -> Operation? {
    guard let from = document(), let to = freePath(in: directory()) else { return nil }
    let style: CopyStyle = random.chance(1, of: 2) ? .tagBeforeClose : .tagAfterClose
    let steps = Script.copy(from, to, style, file: 0, over: false) + [Step(.unlink(from))]
    return operation("mv by copying", .moveByCopying(from, to: to), writes: [from, to], steps)
  }
}

extension OperationMaker {
  /// The same with a folder: all is copied before the originals go, which may take long.
  mutating func moveTreeBetweenDevices() -> Operation? {
    guard let from = folder(), let to = freePath(in: directory(), kind: .directory), !to.isInside(from) else {
      return nil
    }
    let style: CopyStyle = random.chance(1, of: 2) ? .tagBeforeClose : .tagAfterClose
    let steps = [Step(.copyTree(from, to, style))] + pause(longest: 5_000_000_000) + [Step(.removeTree(from))]
    return operation("mv folder by copying", .moveTreeByCopying(from, to: to), writes: [from, to], steps)
  }
}

// MARK: - Attributes

extension OperationMaker {
  mutating func changeTag(_ kind: OperationKind) -> Operation? {
    guard let path = item() else { return nil }
    switch kind {
    case .stripTag:
      return operation("strip tag", .leave(path), writes: [path], [Step(.setTag(path, .none))])
    case .spoilTag:
      let length = random.pick([1, 35, 37, 4_000]) ?? 1
      return operation("spoil tag", .leave(path), writes: [path], [Step(.setTag(path, .garbage(length)))])
    default:
      guard let other = document(), other != path else { return nil }
      return operation(
        "forge tag", .anything, reads: [other], writes: [path], [Step(.readTag(other)), Step(.writeTag(path))])
    }
  }

  mutating func touch() -> Operation? {
    guard let path = document() else { return nil }
    return operation("touch", .change(path), writes: [path], [Step(.touch(path))])
  }

  mutating func chmod() -> Operation? {
    guard let path = document() else { return nil }
    // A directory that has come to the path meanwhile stays one that can be looked into.
    let mode = random.pick([0o744, 0o700, 0o755]) ?? 0o744
    return operation("chmod", .leave(path), writes: [path], [Step(.chmod(path, UInt32(mode)))])
  }
}
