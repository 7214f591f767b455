import FileIdentity
import FileSystemObservation
import LinuxFileSystem
import SystemPackage

/// One change as announced, with paths of the simulated machine.
struct Told {
  var kind: FileSystemChange.Kind
  var uuid: UUIDBits
  var itemKind: FileSystemItem.Kind
  var path: Path
  var previous: Path?
  var original: UUIDBits?
  var originalPath: Path?
  var reason: DeletionReason?
  var isReturned = false
  var isCopying: Bool
  var set: UInt64
  var time: Int64
  /// Whether an operation of the observer's app made the change.
  var isOwn = false

  /// The path before the set, if the item has left it.
  var formerPath: Path? { kind == .deleted || kind == .unlinked ? path : previous }
}

extension NameTable {
  /// The changes of one set, below the observed directory.
  func told(_ log: ChangeLog, _ set: UInt64, at time: Int64, below root: Path) -> [Told] {
    log.records.map { record in
      Told(
        kind: record.kind, uuid: record.uuid, itemKind: record.itemKind, path: path(log.paths[record.path], root),
        previous: record.previousPath.map { path(log.paths[$0], root) }, original: record.original,
        originalPath: record.originalPath.map { path(log.paths[$0], root) }, reason: record.reason,
        isReturned: record.isReturned, isCopying: record.isCopying && record.kind == .discovered, set: set, time: time,
        isOwn: record.isOwn)
    }
  }

  /// The changes of the first scan.
  func told(_ inventory: FirstInventory, _ set: UInt64, at time: Int64, below root: Path) -> [Told] {
    let directory = FilePath("/")
    return FileSystemChanges(inventory, sequence: set, directory: directory).map { change in
      Told(
        kind: change.kind, uuid: UUIDBits(change.uuid), itemKind: change.item.kind,
        path: Path(root.names + path(change.path.string).names), previous: nil,
        original: (change.original?.uuid).map { UUIDBits($0) },
        originalPath: (change.original?.path).map { Path(root.names + path($0.string).names) },
        reason: change.deletionReason, isReturned: change.isReturned, isCopying: change.item.isCopying, set: set,
        time: time)
    }
  }

  private func path(_ bytes: ArraySlice<UInt8>, _ root: Path) -> Path {
    var path = root
    for name in bytes.split(separator: UInt8(ascii: "/")) { path.names.append(number(name.span)) }
    return path
  }

  /// A change as text, for people.
  func text(_ told: Told) -> String {
    var text = "\(told.kind) \(self.text(told.path)) \(short(told.uuid))"
    if let previous = told.previous { text += " from \(self.text(previous))" }
    if let original = told.original { text += " of \(short(original))" }
    if let reason = told.reason { text += " (\(reason))" }
    if told.isReturned { text += " (returned)" }
    if told.isCopying { text += " (copying)" }
    if told.isOwn { text += " (own)" }
    return text
  }

  /// The first eight digits of a UUID.
  func short(_ uuid: UUIDBits) -> String { String(uuid.description.prefix(8)) }
}
