internal import FileSystemObservation
internal import Foundation
internal import SystemPackage

/// One monitored object: it listens to the observer of the object's folder, and for a folder also to one of its own.
final class MonitoredObject: Sendable {
  typealias Event = FileSystemObjectMonitor.Event

  private let folder: SharedFolder
  /// The observer of the object's own contents, if it is a folder.
  private let contents: SharedFolder?
  private let state: Guarded<ObjectState>
  private let tokens = Guarded<[NotificationToken]>([])
  private let announce: @Sendable (Event) -> Void

  /// - Parameter announce: Called for each event, on a thread of the observer.
  init(at url: URL, announce: @escaping @Sendable (Event) -> Void) throws(FileSystemObserverError) {
    let path = FilePath(url.standardizedFileURL.path(percentEncoded: false)).lexicallyNormalized()
    folder = try SharedFolder.at(path.removingLastComponent())
    guard let item = folder.observer[path], path.lastComponent != nil else { throw Self.notFound(path) }
    contents = item.kind == .directory ? try SharedFolder.at(path) : nil
    state = Guarded(ObjectState(item))
    self.announce = announce
    listen(item.uuid)
  }

  private static func notFound(_ path: FilePath) -> FileSystemObserverError {
    FileSystemObserverError(
      code: .fileOperationFailed, message: "\(path): there is no file, folder or symbolic link to monitor", path: path,
      errno: .noSuchFileOrDirectory)
  }

  /// Where the object is now.
  var url: URL { state.withLock { $0.url } }

  /// Ends the monitoring: no event is announced after that.
  func end() {
    let tokens = tokens.withLock { tokens in
      defer { tokens = [] }
      return tokens
    }
    for token in tokens { token.invalidate() }
  }

  private func listen(_ uuid: UUID) {
    var tokens: [NotificationToken] = []
    let token = folder.observer.addNotificationBlock(
      startingWith: .snapshot, of: .item(uuid), including: .attributes
    ) { [weak self] observer, event in
      self?.take(event, of: observer)
    }
    tokens.append(token)
    if let contents {
      tokens.append(contents.observer.addNotificationBlock { [weak self] _, event in self?.takeContents(event) })
    }
    self.tokens.withLock { $0 = tokens }
  }

  // MARK: Events

  private func take(_ event: FileSystemObserver.Event, of observer: FileSystemObserver) {
    let events = state.withLock { state -> [Event] in
      switch event {
      case .didChange(let changes): return changes.flatMap { state.events(for: $0) }
      case .reset(let snapshot, _): return state.events(for: snapshot[state.uuid])
      case .didEnd:
        let isThere = FileManager.default.fileExists(atPath: observer.directory.string)
        return state.events(afterLossOf: observer.directory, isFolderThere: isThere)
      case .rootMoved(let former, let path):
        state.follow(former, to: path)
        return []
      default: return []
      }
    }
    for event in events { announce(event) }
  }

  /// An item was made, removed or renamed in the object, which is a folder.
  private func takeContents(_ event: FileSystemObserver.Event) {
    guard case .didChange(let changes) = event, changes.contains(where: \.changesEntries) else { return }
    let url = url
    announce(.dataDidChange(url))
    if changes.contains(where: \.changesFolders) { announce(.linkCountDidChange(url)) }
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

  /// Whether a folder has a folder more or less.
  fileprivate var changesFolders: Bool {
    guard item.kind == .directory else { return false }
    switch event {
    case .discovered, .duplicated, .deleted: return true
    default: return false
    }
  }
}
