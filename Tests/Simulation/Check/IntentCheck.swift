import FileIdentity
import FileSystemObservation
import LinuxFileSystem

/// What must be announced for one operation that no other operation disturbed.
struct IntentCheck {
  let observer: Observer
  let ended: Window.Ended
  /// Names of files that had several names.
  let linked: Set<Path>

  private var simulation: Simulation { observer.simulation }

  func run() {
    switch ended.operation.intent {
    case .anything: break
    case .save(let path, let isPlain): checkSave(path, isPlain)
    case .saveFolder(let path): checkSaveOfFolder(path)
    case .saveAndMove(let from, let to): checkSaveAndMove(from, to)
    case .move(let from, let to): checkMove(from, to)
    case .create(let path): checkArrival(path, since: ended.began)
    case .copy(let from, let to, let carriesTag): checkCopy(from, to, carriesTag)
    case .copyOver(let from, let to):
      expectKept(from, at: from)
      if !linked.contains(from) { expect(of: from, []) }
      checkSave(to, true)
    case .remove(let path, let reason): checkRemoval(path, reason)
    case .moveByCopying(let from, let to): checkMoveByCopying(from, to)
    case .moveTreeByCopying(let from, let to): checkMoveTreeByCopying(from, to)
    case .moveOver(let from, let to): checkMoveOver(from, to)
    case .exchange(let first, let second, let isDirect): checkExchange(first, second, isDirect)
    case .shuffle(let origins, let places): checkShuffle(origins, places)
    case .leave(let path):
      expectKept(path, at: path)
      if !linked.contains(path) { expect(of: path, []) }
    case .change(let path):
      expectKept(path, at: path)
      if !linked.contains(path) { expect(of: path, [.modified]) }
    }
  }

  private func checkSave(_ path: Path, _ isPlain: Bool) {
    // If events were delivered late, it is unknown how long the document was missing.
    if observer.isTorn || simulation.window.isTorn { return }
    expectKept(path, at: path)
    guard isPlain, !linked.contains(path), let before = before(path), !mayBeCarried(path, before) else { return }
    let announced = announced(of: before.uuid)
    if announced.isEmpty || Set(announced.map(\.kind)) != [.modified] {
      complain("\(text(path)) should be told as modified", announced)
    }
  }

  /// Whether polling finds another inode with all that the old one had, as after a move by copying and back.
  private func mayBeCarried(_ path: Path, _ before: Settled) -> Bool {
    guard simulation.options.source.polls, let inode = simulation.disk.find(path) else { return false }
    return inode !== before.inode && inode.size == before.inode.size && inode.modified == before.inode.modified
  }

  private func checkSaveOfFolder(_ path: Path) {
    if observer.isTorn || simulation.window.isTorn || simulation.options.source.polls { return }
    for item in observer.settled.items(inside: path) where !item.isShared && !linked.contains(item.path) {
      guard isFinished(item.path), simulation.disk.find(item.path)?.kind == item.inode.kind else { continue }
      expectKept(item.path, at: item.path)
    }
  }

  private func checkSaveAndMove(_ from: Path, _ to: Path) {
    // If events were delivered late, it is unknown how long the document was missing.
    if observer.isTorn || simulation.window.isTorn || linked.contains(from) { return }
    // Polling finds one file missing, and another with another name.
    if simulation.options.source.polls { return }
    expectKept(from, at: to)
  }

  private func checkMove(_ from: Path, _ to: Path) {
    expectKept(from, at: to)
    guard isVisible(to), !linked.contains(from), let before = before(from) else { return }
    if let original = observer.yielded[before.uuid] { return checkMoveOfCopy(before.uuid, original, from, to) }
    // Changes through a hidden name that is gone by now show only now.
    let announced = announced(of: before.uuid).filter {
      $0.kind != .modified && $0.kind != .duplicated || observer.isHeardOf(before.inode)
    }
    if announced.count != 1 || announced[0].previous != from || announced[0].path != to {
      complain("\(text(from)) should be told as renamed or moved to \(text(to)), once", announced)
    }
    guard before.inode.kind == .directory else { return }
    for item in observer.settled.items(inside: from) where item.path != from {
      expectKept(item.path, at: item.path.moved(from: from, to: to))
      expect(of: item.path, [])
    }
  }

  private func checkCopy(_ from: Path, _ to: Path, _ carriesTag: Bool) {
    expectKept(from, at: from)
    if !linked.contains(from) { expect(of: from, []) }
    // A copy with the tag of an unobserved file is that file. So is a copy with a third file's tag, if that file is
    // removed meanwhile.
    if carriesTag, !isVisible(from) || isUnfinished(from) { return }
    checkArrival(to, since: ended.began)
    guard carriesTag, !stood(to), let source = before(from), observer.isSeen(source.inode), let found = now(to) else {
      return
    }
    let original = source.uuid
    if observer.isTakenOver(original, observer.replay.node(at: from)) { return }
    let copies = announced(of: found).filter { $0.kind == .duplicated }
    if copies.count != 1 || copies[0].original != original {
      complain("\(text(to)) should be told as a duplicate of \(text(from))", announced(of: found))
    }
  }

  /// Checks that a new file is announced once and finished once, and not before its last write.
  private func checkArrival(_ path: Path, since start: Int64) {
    guard isVisible(path), !stood(path), let inode = simulation.disk.find(path), let uuid = now(path)
    else { return }
    guard inode.linkCount == 1, !simulation.isHeldUp(path) else { return }
    // Another file may have had the identity before, and lost it.
    let all = announced(of: uuid)
    let first = all.lastIndex { $0.kind == .discovered || $0.kind == .duplicated && $0.path == path } ?? 0
    let announced = Array(all[first...])
    let finishes = announced.filter { $0.kind == .copyFinished }
    if finishes.count != 1 || announced.contains(where: { $0.kind == .modified || $0.kind == .deleted }) {
      return complain("\(text(path)) should be told as finished once", announced)
    }
    if finishes[0].time < inode.lastWrite { complain("\(text(path)) was written after it was finished", announced) }
  }

  private func checkRemoval(_ path: Path, _ reason: DeletionReason) {
    for item in observer.settled.items(inside: path) where !linked.contains(item.path) {
      if item.isShared || reason == .removed && before(path)?.inode.kind == .directory && observer.hasGoneOn(item.uuid)
      {
        continue
      }
      let announced = announced(of: item.uuid)
      if hasYielded(item, reason) { continue }
      // Polling does not see where an item went, unless that is the trash, or a folder that is still open.
      let isUnseen = simulation.options.source.polls && reason == .movedOut && announced.first?.reason == .removed
      if announced.map(\.kind) != [.deleted] || announced[0].reason != (isUnseen ? .removed : reason) {
        complain("\(text(item.path)) should be told as deleted (\(reason))", announced)
      }
    }
  }

  /// A copy has given way to its original, which had moves of its own; one of the two is told to have made this move.
  private func checkMoveOfCopy(_ copy: UUIDBits, _ original: UUIDBits, _ from: Path, _ to: Path) {
    let announced = announced(of: copy) + announced(of: original)
    if announced.filter({ $0.previous == from && $0.path == to }).count != 1 {
      complain("\(text(from)) should be told as renamed or moved to \(text(to)), once", announced)
    }
  }

  /// Whether an item was a copy that gave way to its original, which was then removed.
  ///
  /// If both happens in one set, the original is told as deleted where it was before, and for the reason that it had there.
  private func hasYielded(_ item: Settled, _ reason: DeletionReason) -> Bool {
    guard let original = observer.yielded[item.uuid] else { return false }
    let sets = Set(announced(of: item.uuid).map(\.set))
    return announced(of: original).contains {
      $0.kind == .deleted && ($0.reason == reason && $0.path == item.path || sets.contains($0.set))
    }
  }

  /// A complete file that has the tag of a document that is gone is that document.
  private func checkMoveByCopying(_ from: Path, _ to: Path) {
    // If events were delivered late, and in a first scan, it is unknown whether the copy was complete before.
    if observer.isTorn || simulation.window.isTorn || simulation.options.kills > 0 { return }
    guard !linked.contains(from), !stood(to), !simulation.isHeldUp(to),
      let source = before(from), source.inode.tag == .uuid(source.uuid)
    else { return }
    expectKept(from, at: to)
  }

  /// The same for a folder and its contents, whether or not the copies were announced before the originals went.
  private func checkMoveTreeByCopying(_ from: Path, _ to: Path) {
    // With two observers, the second may see the copy with a tag that the first wrote.
    if observer.isTorn || simulation.window.isTorn || simulation.options.kills > 0 || simulation.options.observers > 1 {
      return
    }
    let items = observer.settled.items(inside: from)
    // Changes through a hidden name are unseen, and a copy of an untagged file cannot be recognized.
    guard !stood(to), isVisible(to), now(to) != nil,
      items.allSatisfy({ item in
        !item.isShared && !linked.contains(item.path) && !simulation.isHeldUp(item.path)
          && item.inode.tag == .uuid(item.uuid) && item.inode.kind != .symlink
          // Its copy has as many bytes as one write.
          && (item.inode.kind != .file || item.inode.size == 100)
      })
    else { return }
    for item in items { expectKept(item.path, at: item.path.moved(from: from, to: to)) }
  }

  private func checkMoveOver(_ from: Path, _ to: Path) {
    guard isEstablished(from), isEstablished(to), !linked.contains(from), !linked.contains(to) else { return }
    expectKept(from, at: to)
    guard let mover = before(from), let victim = before(to) else { return }
    let announced = announced(of: mover.uuid)
    if announced.count != 1 || announced[0].previous != from {
      complain("\(text(from)) should be told as moved", announced)
    }
    let ended = self.announced(of: victim.uuid)
    if ended.map(\.kind) != [.deleted] || ended[0].reason != .replaced {
      complain("\(text(to)) should be told as replaced", ended)
    }
  }

  private func checkExchange(_ first: Path, _ second: Path, _ isDirect: Bool) {
    // Through a third name, each is renamed to a free name. That is no save, however new they are.
    guard [first, second].allSatisfy({ !linked.contains($0) && (isDirect ? isEstablished($0) : isFinished($0)) })
    else { return }
    guard isHeardOf(first), isHeardOf(second) else { return }
    expectKept(first, at: second)
    expectKept(second, at: first)
    for path in [first, second] {
      guard let before = before(path) else { continue }
      let announced = announced(of: before.uuid)
      let isMoved = announced.allSatisfy { $0.kind == .renamed || $0.kind == .moved }
      if !isMoved || announced.isEmpty || isDirect && announced.count != 1 {
        complain("\(text(path)) should be told as renamed or moved", announced)
      }
    }
  }
}

extension IntentCheck {
  private func checkShuffle(_ origins: [Path], _ places: [Path]) {
    guard origins.allSatisfy({ isEstablished($0) && !linked.contains($0) }) else { return }
    for (origin, place) in zip(origins, places) { expectKept(origin, at: place) }
  }
}

// MARK: - Looking up

extension IntentCheck {
  /// The item that was at a path; `nil` if another file had its identity, too.
  private func before(_ path: Path) -> Settled? {
    observer.settled.item(at: path).flatMap { $0.isShared ? nil : $0 }
  }

  /// Whether the item at a path is unfinished, so that its identity is temporary and its tag may be that of another
  /// file.
  private func isUnfinished(_ path: Path) -> Bool { now(path).map { observer.isArriving($0) } ?? false }

  private func stood(_ path: Path) -> Bool { observer.settled.item(at: path) != nil }

  /// The announced UUID of the item at a path.
  private func now(_ path: Path) -> UUIDBits? { observer.replay.node(at: path)?.uuid }

  private func announced(of uuid: UUIDBits) -> [Told] { observer.told.filter { $0.uuid == uuid } }

  private func text(_ path: Path) -> String { simulation.names.text(path) }

  private func isVisible(_ path: Path) -> Bool {
    path.names.dropFirst(simulation.places.tree.names.count).allSatisfy { simulation.isVisible($0) }
  }

  private func isHeardOf(_ path: Path) -> Bool { before(path).map { observer.isHeardOf($0.inode) } ?? true }

  /// Whether an item is announced and complete.
  private func isFinished(_ path: Path) -> Bool {
    before(path).map { observer.isEstablished($0.uuid, at: .max) && !observer.isArriving($0.uuid) } ?? false
  }

  /// Whether an item was announced long enough ago to be no temporary file.
  private func isEstablished(_ path: Path) -> Bool {
    before(path).map { observer.isEstablished($0.uuid, at: ended.began) } ?? false
  }

  private func expect(of path: Path, _ kinds: [FileSystemChange.Kind]) {
    guard let before = before(path), observer.isHeardOf(before.inode) else { return }
    let announced = announced(of: before.uuid)
    if announced.map(\.kind) != kinds { complain("of \(text(path)) should be told \(kinds)", announced) }
  }

  private func expectKept(_ old: Path, at new: Path) {
    guard let before = before(old), isVisible(new), !observer.mayHaveLost(before.inode) else { return }
    let found = now(new)
    guard found != before.uuid, !observer.isTakenOver(before.uuid, observer.replay.node(at: new)) else { return }
    let names = simulation.names
    simulation.report(
      .identity,
      "#\(ended.operation.id) \(ended.operation.title): \(text(new)) should be \(names.short(before.uuid)), is "
        + (found.map { names.short($0) } ?? "nothing"), subject: ended.operation.title)
  }

  private func complain(_ what: String, _ announced: [Told]) {
    // If one half of an operation was announced long before the other, or not at all, the announcement may differ.
    if observer.isTorn || simulation.options.observers > 1
      || ended.operation.writes.contains(where: { simulation.isHeldUp($0) })
    {
      return
    }
    // A copy that becomes its original is announced besides.
    if announced.contains(where: { observer.isTakenOver($0.uuid, observer.replay.node(at: $0.path)) }) { return }
    let list = announced.isEmpty ? "nothing" : announced.map { simulation.names.text($0) }.joined(separator: ", ")
    simulation.report(
      .saying, "#\(ended.operation.id) \(ended.operation.title): \(what); told was: \(list)",
      subject: ended.operation.title)
  }
}
