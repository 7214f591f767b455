import FileIdentity
import LinuxFileSystem

// The ways in which programs save a document of several files: another folder takes its place.

extension OperationMaker {
  mutating func saveFolder() -> Operation? {
    guard let path = folder() else { return nil }
    let temporary = temporaryName(beside: path)
    let aside = random.chance(1, of: 2) ? backupName(of: path) : temporaryName(beside: path)
    guard aside != temporary else { return nil }
    let steps =
      switch random.below(4) {
      case 0: stage(path, at: temporary) + [Step(.rename(temporary, path, .exchanging))] + remove(temporary)
      case 1:
        stage(path, at: temporary) + setAside(path, aside) + [Step(.rename(temporary, path, .replacing))]
          + remove(aside)
      case 2: stage(path, at: temporary) + [Step(.removeTree(path)), Step(.rename(temporary, path, .replacing))]
      default: setAside(path, aside) + make(path, at: path) + remove(aside)
      }
    return Operation(
      id: 0, title: "save folder", steps: steps, intent: .saveFolder(path), writes: [path, temporary, aside])
  }

  /// Makes the next version of a folder beside it: a copy of which a file is changed, or all anew.
  private mutating func stage(_ path: Path, at temporary: Path) -> [Step] {
    var steps = [Step(.removeTree(temporary), mayFail: true)]
    if random.chance(1, of: 2) {
      steps.append(Step(.copyTree(path, temporary, random.pick(CopyStyle.allCases) ?? .plain)))
      if let changed = random.pick(census.files.filter { $0.path.isInside(path) })?.path {
        let copy = changed.moved(from: path, to: temporary)
        steps += [Step(.open(copy, 0, truncating: false, creating: true)), Step(.write(0)), Step(.close(0))]
      }
    } else {
      steps += make(path, at: temporary)
    }
    return steps + pause(longest: 200_000_000)
  }

  /// Makes a folder and its items anew; some are left out.
  private mutating func make(_ path: Path, at place: Path) -> [Step] {
    var steps = [Step(.make(.directory, place))]
    for item in census.directories + census.files where item.path.isInside(path) && item.path != path {
      if random.chance(1, of: 8) { continue }
      let copy = item.path.moved(from: path, to: place)
      let make = item.inode.kind == .directory ? [Step(.make(.directory, copy))] : Script.create(copy)
      steps += make.map { Step($0.action, mayFail: true) }
    }
    return steps
  }

  private mutating func setAside(_ path: Path, _ aside: Path) -> [Step] {
    [Step(.removeTree(aside), mayFail: true), Step(.rename(path, aside, .replacing))] + pause(longest: 100_000_000)
  }

  private mutating func remove(_ path: Path) -> [Step] { pause(longest: 100_000_000) + [Step(.removeTree(path))] }
}
