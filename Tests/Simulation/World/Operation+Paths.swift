import LinuxFileSystem

// The paths an operation names, and the same operation with others.

extension Operation {
  var paths: [Path] { reads + writes + steps.flatMap(\.action.paths) }

  /// The same, where every path that a step names counts as written.
  var writingItsPaths: Operation {
    var operation = self
    operation.writes = paths
    return operation
  }

  /// The operation with what is in a directory put beside it instead.
  func moved(outOf directory: Path) -> Operation {
    map { path in
      guard path.isInside(directory), path != directory else { return path }
      return path.moved(from: directory, to: directory.parent)
    }
  }

  /// The same with other paths.
  func map(_ change: (Path) -> Path) -> Operation {
    var operation = self
    operation.reads = reads.map(change)
    operation.writes = writes.map(change)
    operation.steps = steps.map { Step($0.action.map(change), mayFail: $0.mayFail) }
    operation.intent = intent.map(change)
    return operation
  }
}

extension Action {
  fileprivate var paths: [Path] {
    switch self {
    case .create(let path, _), .open(let path, _, _, _), .createUnnamed(let path, _), .linkUnnamed(_, let path),
      .make(_, let path), .unlink(let path), .rmdir(let path), .readTag(let path), .writeTag(let path),
      .writeTime(let path), .setTag(let path, _), .touch(let path), .chmod(let path, _), .removeTree(let path):
      [path]
    case .link(let first, let second), .rename(let first, let second, _), .copyTree(let first, let second, _):
      [first, second]
    case .own(let action, _): action.paths
    case .write, .writeMapped, .close, .writeTagOfOpen, .writeTimeOfOpen, .sleep: []
    }
  }

  fileprivate func map(_ change: (Path) -> Path) -> Action {
    switch self {
    case .create(let path, let file): .create(change(path), file)
    case .open(let path, let file, let truncating, let creating):
      .open(change(path), file, truncating: truncating, creating: creating)
    case .createUnnamed(let path, let file): .createUnnamed(in: change(path), file)
    case .linkUnnamed(let file, let path): .linkUnnamed(file, change(path))
    case .make(let kind, let path): .make(kind, change(path))
    case .link(let old, let new): .link(change(old), change(new))
    case .unlink(let path): .unlink(change(path))
    case .rmdir(let path): .rmdir(change(path))
    case .rename(let old, let new, let mode): .rename(change(old), change(new), mode)
    case .readTag(let path): .readTag(change(path))
    case .writeTag(let path): .writeTag(change(path))
    case .writeTime(let path): .writeTime(change(path))
    case .setTag(let path, let value): .setTag(change(path), value)
    case .touch(let path): .touch(change(path))
    case .chmod(let path, let mode): .chmod(change(path), mode)
    case .removeTree(let path): .removeTree(change(path))
    case .copyTree(let from, let to, let style): .copyTree(change(from), change(to), style)
    case .own(let action, let own): .own(action.map(change), own.map(change))
    case .write, .writeMapped, .close, .writeTagOfOpen, .writeTimeOfOpen, .sleep: self
    }
  }
}

extension Intent {
  fileprivate func map(_ change: (Path) -> Path) -> Intent {
    switch self {
    case .anything: .anything
    case .save(let path, let isPlain): .save(change(path), isPlain: isPlain)
    case .saveFolder(let path): .saveFolder(change(path))
    case .saveAndMove(let from, let to): .saveAndMove(change(from), to: change(to))
    case .move(let from, let to): .move(change(from), to: change(to))
    case .create(let path): .create(change(path))
    case .copy(let from, let to, let carriesTag): .copy(change(from), to: change(to), carriesTag: carriesTag)
    case .copyOver(let from, let to): .copyOver(change(from), to: change(to))
    case .remove(let path, let reason): .remove(change(path), reason)
    case .moveByCopying(let from, let to): .moveByCopying(change(from), to: change(to))
    case .moveTreeByCopying(let from, let to): .moveTreeByCopying(change(from), to: change(to))
    case .moveOver(let from, let to): .moveOver(change(from), to: change(to))
    case .shuffle(let origins, let places): .shuffle(origins.map(change), to: places.map(change))
    case .exchange(let first, let second, let isDirect): .exchange(change(first), change(second), isDirect: isDirect)
    case .leave(let path): .leave(change(path))
    case .change(let path): .change(change(path))
    }
  }
}

extension OwnAction {
  fileprivate func map(_ change: (Path) -> Path) -> OwnAction {
    var own = self
    own.source = source.map(change)
    own.destination = destination.map(change)
    return own
  }
}
