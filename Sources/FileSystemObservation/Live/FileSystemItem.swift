public import FoundationEssentials
import LinuxFileSystem
public import Observation
public import SystemPackage

/// A file, directory or symbolic link of an observed tree, as an object that follows it.
///
/// ```swift
/// if let document = observer.item(at: path) {
///   let token = document.addNotificationBlock { document, _ in show(document.name, document.isDeleted) }
/// }
/// ```
///
/// The object follows its item by identity: through renames, moves and saves by any program. It changes in ``update()``
/// and in the ``FileSystemItemList/update()`` of a list that has it, and at no other moment; never half of a change.
/// It does not access the disk.
///
/// An object belongs to the actor that made it, or to the task or thread if none did: it is not `Sendable`. On one
/// actor there is one object for each item. The observer does not retain it.
///
/// FIFOs, sockets and devices are not observed.
public final class FileSystemItem: Identifiable {
  /// The identity of one name of an item.
  public typealias ID = Snapshot.ID

  /// The identity; for a file with several names, also which of them this is.
  public let id: ID

  /// The observer; `nil` once it is deallocated.
  public private(set) weak var observer: FileSystemObserver?

  /// The list from which the object was first taken; `nil` if there is none, or it is deallocated.
  public internal(set) weak var list: FileSystemItemList?

  var current: Snapshot
  var isGone = false
  /// The number of the state.
  var stamp: LiveTree.Stamp
  let registrar = ObservationRegistrar()

  /// The object's own events, from the first use on.
  var feed: LiveFeed?
  let blocks = LiveBlocks<(FileSystemItem, FileSystemChange?)>()
  /// Whether something may have happened before the feed began.
  var isBehind = false
  /// Whether a task updates the object.
  var isFollowed = false
  /// Whether a run has started whose first set has not arrived.
  var awaitsFirstScan = false

  init(_ snapshot: Snapshot, _ stamp: LiveTree.Stamp, of observer: FileSystemObserver?) {
    id = snapshot.id
    current = snapshot
    self.stamp = stamp
    self.observer = observer
  }

  deinit {
    feed?.end()
  }
}

@available(*, unavailable)
extension FileSystemItem: Sendable {}

// MARK: - Properties

extension FileSystemItem: Observable {
  /// The state of the item; after its deletion, the last known one.
  public var snapshot: Snapshot {
    registrar.access(self, keyPath: \.snapshot)
    return current
  }

  /// Whether the item is deleted, or has left the observed tree, as far as the object knows.
  public var isDeleted: Bool {
    registrar.access(self, keyPath: \.isDeleted)
    return isGone
  }

  /// The UUID.
  public var uuid: UUID { id.uuid }

  /// The last component of the path; bytes that are not UTF-8 are replaced.
  public var name: String { snapshot.name }

  /// The absolute path.
  public var path: FilePath { snapshot.path }

  /// The path below the observed directory; empty for that directory itself.
  public var relativePath: FilePath { snapshot.relativePath }

  /// ``path`` as a file URL; a path that is not UTF-8 has no faithful URL.
  public var url: URL { snapshot.url }

  /// The kind of the item: file, directory or symbolic link.
  public var kind: Kind { snapshot.kind }

  /// The size in bytes of a file, or of a symbolic link's target path.
  public var size: Int64 { snapshot.size }

  /// The modification time of the content.
  public var modificationDate: Date { snapshot.modificationDate }

  /// The creation time; `nil` if the file system does not record it.
  public var creationDate: Date? { snapshot.creationDate }

  /// The number of observed items directly in a directory; `nil` for other items.
  public var childCount: Int? { snapshot.childCount }

  /// Whether a program is still writing the file for the first time: an incomplete copy or download.
  public var isCopying: Bool { snapshot.isCopying }

  /// The size so far of a file that is being copied, at most about a second old; `nil` for others.
  public var bytesSoFar: Int64? { isCopying ? size : nil }

  /// All observed names of the file, the oldest first; usually only ``path``.
  public var names: [FilePath] { snapshot.names }
}

extension FileSystemItem: Hashable, CustomStringConvertible {
  /// Whether both are of the same item; of a file with several names, of the same one.
  public static func == (left: FileSystemItem, right: FileSystemItem) -> Bool { left.id == right.id }

  /// Hashes the ID.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// The kind, the path below the observed directory and the beginning of the UUID.
  public var description: String { current.description + (isGone ? " (deleted)" : "") }
}

// MARK: - States

extension FileSystemItem {
  /// Takes a state, unless a newer one is known; whether anything has changed.
  @discardableResult
  func take(_ snapshot: Snapshot, _ stamp: LiveTree.Stamp) -> Bool {
    guard accepts(stamp) else { return false }
    self.stamp = stamp
    let changes = current != snapshot
    if changes { registrar.withMutation(of: self, keyPath: \.snapshot) { current = snapshot } }
    return setGone(false) || changes
  }

  /// Takes the news that the item is gone; whether it was there.
  @discardableResult
  func takeDeletion(_ stamp: LiveTree.Stamp) -> Bool {
    guard accepts(stamp) else { return false }
    self.stamp = stamp
    return setGone(true)
  }

  private func accepts(_ stamp: LiveTree.Stamp) -> Bool {
    stamp.epoch != self.stamp.epoch || stamp.sequence >= self.stamp.sequence
  }

  private func setGone(_ isGone: Bool) -> Bool {
    guard self.isGone != isGone else { return false }
    registrar.withMutation(of: self, keyPath: \.isDeleted) { self.isGone = isGone }
    return true
  }

  /// Takes the newest state that the observer knows; whether anything has changed.
  @discardableResult
  func takeNewest() -> Bool {
    guard let observer, let (snapshot, stamp) = observer.liveState(of: id) else { return false }
    return snapshot.map { take($0, stamp) } ?? takeDeletion(stamp)
  }
}
