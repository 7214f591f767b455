package import FileSystemObservation
package import FoundationEssentials
import LinuxFileSystem
import Synchronization
package import SystemPackage

/// A folder with a running observer, all of whose events are recorded.
package final class ObservedFolder: Sendable {
  package let folder: TestFolder
  package let observer: FileSystemObserver
  package let recorder: Recorder
  /// Items of a plain walk that the observer excludes.
  private let isExcluded: @Sendable (String) -> Bool
  /// Several observers may watch one folder: no cookie of one may look to another like one that has returned.
  private static let cookies = Atomic(0)

  /// The observed folder.
  package var root: Folder { folder.watched }
  package var outside: Folder { folder.outside }

  /// Makes an observer of a folder.
  ///
  /// `start()` starts it.
  package init(
    _ folder: TestFolder, options: FileSystemObserver.Configuration = FileSystemObserver.Configuration(),
    excluding isExcluded: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    self.folder = folder
    self.isExcluded = isExcluded
    var configuration = TestSource.named?.applied(to: options) ?? options
    configuration.directory = FilePath(folder.watched.path)
    observer = FileSystemObserver(configuration)
    recorder = Recorder(observer)
  }

  deinit {
    observer.stop()
  }

  /// Calls `prepare`, and observes the result: on return, the observer knows all of it, at rest.
  package static func begin(
    _ label: String = "test", options: FileSystemObserver.Configuration = FileSystemObserver.Configuration(),
    prepare: (TestFolder) throws -> Void = { _ in }
  ) async throws -> ObservedFolder {
    let folder = try TestFolder(label)
    try prepare(folder)
    let observed = ObservedFolder(folder, options: options)
    try await observed.start()
    return observed
  }

  /// Starts the observer, and waits until it knows everything.
  package func start() async throws {
    let mark = recorder.position
    try await observer.start()
    try await recorder.awaitScan(from: mark, within: .seconds(120))
    try await settle()
  }
}

// MARK: - Quiescence

extension ObservedFolder {
  /// Awaits the announcement of everything that has happened so far.
  ///
  /// It makes a file and waits until that is announced as finished, then removes the file and waits until that is
  /// announced as deleted. By then the time windows of all earlier changes have passed. The details of the last step are
  /// there as well: they are announced after its changes.
  package func settle(within time: Duration = .seconds(60)) async throws {
    let name = "\(Self.cookiePrefix)\(Self.cookies.add(1, ordering: .relaxed).newValue)"
    let path = root[name]
    let mark = recorder.position
    if Ability.detectsWriters {
      try root.write(name)
    } else {
      // It must rest for as long as any other file whose closing was not seen.
      try root.write(".\(name)")
      try root.rename(".\(name)", name)
    }
    let finished = try await recorder.awaitChange("\(name) to be finished", from: mark, within: time) {
      $0.kind == .copyFinished && $0.path.string == path
    }
    try root.unlink(name)
    try await recorder.awaitChange("\(name) to be deleted", from: mark, within: time) {
      $0.kind == .deleted && $0.uuid == finished.uuid
    }
    await observer.synchronize()
  }

  static let cookiePrefix = "cookie-"

  /// Whether a path is that of a cookie file of `settle`.
  package static func isCookie(_ path: String) -> Bool { path.hasPrefix(cookiePrefix) }

  /// Awaits that the announcements match the disk; the differences that are left at the end.
  package func differencesInTheEnd(within time: Duration = .seconds(10)) async throws -> [String] {
    let deadline = Moment.now + time
    while true {
      try await settle()
      let differences = differences()
      if differences.isEmpty || Moment.now > deadline { return differences }
    }
  }

  /// The differences between disk, change sets and inventory, and contradictions in the change sets.
  package func differences() -> [String] {
    let replay = Replay(root: root.path, recorder.entries)
    let announced = replay.items
    let disk = DiskInventory(
      of: root, includesHidden: observer.configuration.includesHiddenItems, excluding: isExcluded)
    var differences = replay.contradictions.prefix(20).map { "contradiction: \($0)" }
    differences += disk.differences(from: announced).sorted().prefix(20)
    let inventory = observer.snapshot().itemsByPath(root: root.path)
    for path in Set(inventory.keys).union(announced.keys).sorted() where inventory[path] != announced[path] {
      differences.append("\(path): inventory has \(name(inventory[path])), told was \(name(announced[path]))")
    }
    return Array(differences.prefix(40))
  }

  private func name(_ item: Replay.Item?) -> String { item.map { "\($0.kind) \($0.uuid)" } ?? "nothing" }
}

// MARK: - Announcements

extension ObservedFolder {
  /// The UUID in the tag of a file, by which the observer must know it.
  package func uuid(_ name: String) throws -> UUID {
    guard let tag = try root.tag(name) else { throw Errno.noData }
    return tag
  }

  /// The UUID in the tag of a file, or if the file system has no tags, the UUID that the observer knows.
  package func identity(_ name: String) throws(Errno) -> UUID? {
    Ability.tags.isPossible ? try root.tag(name) : observer.uuid(forItemAt: FilePath(root[name]))
  }

  /// The changes from a mark on, without those of cookies.
  package func changes(from mark: Int) -> [FileSystemChange] {
    recorder.changes(from: mark).filter { !Self.isCookie(relative($0.path)) }
  }

  package func relative(_ path: FilePath) -> String { Replay.relative(path, to: root.path) }

  /// Each change in a few words, for instance `moved a.txt -> sub/a.txt`.
  package func said(from mark: Int) -> [String] { changes(from: mark).map(describe) }

  /// A change in a few words.
  package func describe(_ change: FileSystemChange) -> String {
    let path = relative(change.path)
    let reason = change.deletionReason.map { "(\($0.rawValue))" } ?? (change.isReturned ? "(returned)" : "")
    let kind = change.kind.rawValue + (change.item.isCopying && change.kind == .discovered ? "(copying)" : "") + reason
    switch change.kind {
    case .renamed, .moved: return "\(kind) \(change.previousPath.map(relative) ?? "?") -> \(path)"
    case .duplicated: return "\(kind) \((change.original?.path).map(relative) ?? "?") => \(path)"
    default: return "\(kind) \(path)"
    }
  }
}
