internal import FileSystemObservation
internal import Foundation
internal import SystemPackage

/// What is known of a monitored object, and what changes of it mean.
///
/// A value without clock and disk.
struct ObjectState: Sendable {
  typealias Event = FileSystemObjectMonitor.Event

  let uuid: UUID
  private(set) var path: FilePath
  private let kind: FileSystemItem.Kind
  private var size: Int64
  private var modified: Int64
  private var nameCount: Int
  private var isGone = false

  init(_ item: FileSystemItem.Snapshot) {
    uuid = item.uuid
    path = item.path
    kind = item.kind
    size = item.size
    modified = item.modificationNanoseconds
    nameCount = item.nameCount
  }

  var url: URL { URL(filePath: path.string, directoryHint: kind == .directory ? .isDirectory : .notDirectory) }

  /// The events that changes of the object and, if it is a folder, of its items mean.
  mutating func events(for changes: FileSystemChanges) -> [Event] {
    let own = changes.filter { $0.uuid == uuid }
    let events = own.flatMap { self.events(for: $0) }
    // What leaves with the folder is no change of it.
    if kind != .directory || own.contains(where: { $0.kind == .deleted }) { return events }
    let entries = changes.filter { $0.uuid != uuid && $0.changesEntries }
    if entries.isEmpty { return events }
    let changesFolders = entries.contains { $0.item.kind == .directory && $0.previousPath == nil }
    return events + [.dataDidChange(url)] + (changesFolders ? [.linkCountDidChange(url)] : [])
  }

  private mutating func events(for change: FileSystemChange) -> [Event] {
    let item = change.item
    switch change.event {
    case .renamed(let former), .moved(let former): return former == path ? moved(to: item.path) : []
    case .linked:
      nameCount = item.nameCount
      return [.linkCountDidChange(url)]
    case .unlinked:
      nameCount = max(1, nameCount - 1)
      return [.linkCountDidChange(url)]
    case .modified: return contentChanged(item, isCertain: true)
    case .copyFinished: return contentChanged(item, isCertain: false)
    case .attributesChanged: return [.metadataDidChange(url)]
    case .deleted(let reason): return gone(isRevoked: reason == .unmounted)
    case .discovered: return returned(item)
    default: return []
    }
  }

  /// The events that lead to the object as it is in a snapshot of it; `nil` if it is not there.
  mutating func events(for item: FileSystemItem.Snapshot?) -> [Event] {
    guard let item else { return gone(isRevoked: false) }
    if isGone { return returned(item) }
    let moves = item.names.contains(path) ? [] : moved(to: item.path)
    let links = item.nameCount == nameCount ? [] : [Event.linkCountDidChange(url)]
    nameCount = item.nameCount
    return moves + links + (item.modificationNanoseconds == modified ? [] : contentChanged(item, isCertain: true))
  }

  /// The object's folder cannot be observed any more.
  ///
  /// - Parameter isFolderThere: Whether a folder is at its path: then its file system was unmounted.
  mutating func eventsAfterLoss(isFolderThere: Bool) -> [Event] { gone(isRevoked: isFolderThere) }

  /// The object's folder has another path, which is no event of the object.
  mutating func follow(_ former: FilePath, to folder: FilePath) {
    var rest = path
    if rest.removePrefix(former) { path = folder.pushing(rest) }
  }

  private mutating func moved(to path: FilePath) -> [Event] {
    let former = url
    self.path = path
    return [.wasRenamed(former, url)]
  }

  /// - Parameter isCertain: Whether the contents have changed even if the size is the same.
  private mutating func contentChanged(_ item: FileSystemItem.Snapshot, isCertain: Bool) -> [Event] {
    defer { (size, modified) = (item.size, item.modificationNanoseconds) }
    // A folder's contents are told by what happens to its items.
    if kind == .directory { return [] }
    if item.size != size { return [.dataDidChange(url), .sizeDidChange(url)] }
    return isCertain ? [.dataDidChange(url)] : []
  }

  private mutating func gone(isRevoked: Bool) -> [Event] {
    if isGone { return [] }
    isGone = true
    return [isRevoked ? .accessWasRevoked(url) : .wasDeleted(url)]
  }

  private mutating func returned(_ item: FileSystemItem.Snapshot) -> [Event] {
    guard isGone else { return [] }
    isGone = false
    path = item.path
    defer { (size, modified) = (item.size, item.modificationNanoseconds) }
    return [.dataDidChange(url)]
  }
}

extension FileSystemChange {
  /// Whether a folder has another entry, or an entry less.
  fileprivate var changesEntries: Bool {
    switch event {
    case .discovered, .duplicated, .linked, .unlinked, .deleted, .renamed, .moved: true
    default: false
    }
  }
}
