import FileIdentity
import FileSystemObservation
package import LinuxFileSystem

/// One system call of a simulated program, or a pause of it.
package enum Action: Sendable, Codable {
  case create(Path, Int)
  case open(Path, Int, truncating: Bool, creating: Bool)
  case createUnnamed(in: Path, Int)
  case write(Int)
  case writeMapped(Int)
  case close(Int)
  case linkUnnamed(Int, Path)
  case make(FileKind, Path)
  case link(Path, Path)
  case unlink(Path)
  case rmdir(Path)
  case rename(Path, Path, RenameMode)
  /// Reads the tag of a file and its time of modification, for writing them to another.
  case readTag(Path)
  case writeTag(Path)
  case writeTagOfOpen(Int)
  case writeTime(Path)
  case writeTimeOfOpen(Int)
  case setTag(Path, TagValue)
  case touch(Path)
  case chmod(Path, UInt32)
  case sleep(Int64)
  /// `rm -r`, `cp -r` and `cp -a`: what they do is decided by what is there.
  case removeTree(Path)
  case copyTree(Path, Path, CopyStyle)
  /// A call that an observer makes for its app.
  indirect case own(Action, OwnAction)
}

/// What an app asks its observer to do.
package struct OwnAction: Sendable, Codable {
  var source: Path?
  var destination: Path?
  var isMaking = false
  var reason: DeletionReason?
}

extension Action {
  /// What the app asks for, if an observer makes the call.
  var own: OwnAction? { if case .own(_, let own) = self { own } else { nil } }

  /// How long it lasts.
  var pause: Int64 { if case .sleep(let time) = self { time } else { 0 } }

  /// Whether it may give a file the tag of another.
  var writesTag: Bool {
    switch self {
    case .writeTag, .writeTagOfOpen, .setTag: true
    default: false
    }
  }
}

/// How a program copies.
package enum CopyStyle: String, CaseIterable, Sendable, Codable {
  /// `cp`: without the tag.
  case plain
  /// `cp -a`: the tag and the time of modification are set before the file is closed.
  case tagBeforeClose
  /// File managers: they are set after the file is closed.
  case tagAfterClose

  package var carriesTag: Bool { self != .plain }
}

/// An action and whether its program goes on when it fails.
package struct Step: Sendable, Codable {
  package var action: Action
  package var mayFail: Bool

  package init(_ action: Action, mayFail: Bool = false) {
    self.action = action
    self.mayFail = mayFail
  }
}

extension NameTable {
  /// An action as text, for a person.
  package func text(_ action: Action) -> String {
    switch action {
    case .create(let path, let file): "create \(text(path)) as \(file)"
    case .open(let path, let file, let truncating, _): "open\(truncating ? " truncating" : "") \(text(path)) as \(file)"
    case .createUnnamed(let path, let file): "create unnamed in \(text(path)) as \(file)"
    case .write(let file): "write \(file)"
    case .writeMapped(let file): "write mapped \(file)"
    case .close(let file): "close \(file)"
    case .linkUnnamed(let file, let path): "link \(file) to \(text(path))"
    case .make(let kind, let path): "make \(kind) \(text(path))"
    case .link(let old, let new): "link \(text(old)) \(text(new))"
    case .unlink(let path): "unlink \(text(path))"
    case .rmdir(let path): "rmdir \(text(path))"
    case .rename(let old, let new, let mode): "rename \(mode) \(text(old)) \(text(new))"
    case .readTag(let path): "read tag of \(text(path))"
    case .writeTag(let path): "write tag read to \(text(path))"
    case .writeTagOfOpen(let file): "write tag read to open \(file)"
    case .writeTime(let path): "write time read to \(text(path))"
    case .writeTimeOfOpen(let file): "write time read to open \(file)"
    case .setTag(let path, let value): "set tag of \(text(path)) to \(value)"
    case .touch(let path): "touch \(text(path))"
    case .chmod(let path, let mode): "chmod \(String(mode, radix: 8)) \(text(path))"
    case .sleep(let time): "sleep \(time / 1_000) us"
    case .removeTree(let path): "rm -r \(text(path))"
    case .copyTree(let from, let to, let style): "copy tree \(style) \(text(from)) \(text(to))"
    case .own(let action, _): "own \(text(action))"
    }
  }
}
