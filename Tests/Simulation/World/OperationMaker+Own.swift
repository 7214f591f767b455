import FileSystemObservation
import LinuxFileSystem

// What an app asks its observer to do.

extension OperationMaker {
  mutating func chooseOwn() -> Operation? {
    switch random.below(10) {
    case 0, 1: ownMove(document(), kind: .file)
    case 2: ownMove(folder(), kind: .directory)
    case 3: ownMoveOver()
    case 4: ownRemoval()
    case 5: ownTreeRemoval()
    case 6: ownMoveOut()
    case 7: ownCreation()
    default: ownSave()
    }
  }

  private mutating func ownMove(_ from: Path?, kind: FileKind) -> Operation? {
    guard let from else { return nil }
    let isRename = random.chance(1, of: 2)
    guard let to = freePath(in: isRename ? from.parent : directory(), kind: kind), !to.isInside(from) else {
      return nil
    }
    let own = OwnAction(source: from, destination: to)
    return ownOperation("move", .move(from, to: to), writes: [from, to], .rename(from, to, .notReplacing), own)
  }

  private mutating func ownMoveOver() -> Operation? {
    guard let from = document(), let to = document(), from != to else { return nil }
    let own = OwnAction(source: from, destination: to)
    return ownOperation("move over", .moveOver(from, to: to), writes: [from, to], .rename(from, to, .replacing), own)
  }

  private mutating func ownRemoval() -> Operation? {
    guard let path = document() else { return nil }
    let own = OwnAction(source: path, reason: .removed)
    return ownOperation("remove", .remove(path, .removed), writes: [path], .unlink(path), own)
  }

  /// The folder gets a hidden name, and what is in it is removed after that.
  private mutating func ownTreeRemoval() -> Operation? {
    guard let path = folder() else { return nil }
    let hidden = workName(beside: path)
    let own = OwnAction(source: path, reason: .removed)
    return ownOperation(
      "remove folder", .remove(path, .removed), writes: [path, hidden], .rename(path, hidden, .notReplacing), own,
      after: [Step(.removeTree(hidden), mayFail: true)])
  }

  private mutating func ownMoveOut() -> Operation? {
    let isTrash = random.chance(1, of: 2)
    guard let from = item(), let to = freePath(in: isTrash ? places.trash : places.outside) else { return nil }
    let reason = isTrash ? DeletionReason.trashed : .movedOut
    let own = OwnAction(source: from, reason: reason)
    return ownOperation("move out", .remove(from, reason), writes: [from, to], .rename(from, to, .notReplacing), own)
  }

  private mutating func ownCreation() -> Operation? {
    guard let path = freePath(in: directory()) else { return nil }
    let hidden = workName(beside: path)
    let own = OwnAction(destination: path, isMaking: true)
    return ownOperation(
      "create", .create(path), writes: [path, hidden], .rename(hidden, path, .notReplacing), own,
      before: Script.create(hidden))
  }

  private mutating func ownSave() -> Operation? {
    guard let path = document() else { return nil }
    let hidden = workName(beside: path)
    let own = OwnAction(destination: path, isMaking: true)
    let before = [
      Step(.create(hidden, 0)), Step(.write(0)), Step(.close(0)), Step(.readTag(path)), Step(.writeTag(hidden)),
    ]
    return ownOperation(
      "save", .save(path, isPlain: true), writes: [path, hidden], .rename(hidden, path, .replacing), own,
      before: before)
  }

  /// A name that operations give to what is not complete.
  private mutating func workName(beside path: Path) -> Path {
    path.parent.appending(names.number(".fsobserver-\(random.below(1_000_000)).tmp"))
  }

  private func ownOperation(
    _ title: String, _ intent: Intent, writes: [Path], _ action: Action, _ own: OwnAction, before: [Step] = [],
    after: [Step] = []
  ) -> Operation {
    Operation(
      id: 0, title: "own \(title)", steps: before + [Step(.own(action, own))] + after, intent: intent, writes: writes)
  }
}
