internal import FileSystemObservation
internal import Foundation
internal import SystemPackage

/// One monitored object: it listens to the observer of the object's folder.
final class MonitoredObject: Sendable {
  typealias Event = FileSystemObjectMonitor.Event

  private let folder: SharedFolder
  private let state: Guarded<ObjectState>
  private let token = Guarded<NotificationToken?>(nil)
  private let announce: @Sendable (Event) -> Void

  /// - Parameter announce: Called for each event, on a thread of the observer.
  init(at url: URL, announce: @escaping @Sendable (Event) -> Void) throws(FileSystemObserverError) {
    let path = FilePath(url.standardizedFileURL.path(percentEncoded: false)).lexicallyNormalized()
    let above = path.removingLastComponent()
    let files = try SharedFolder.at(above, depth: 0)
    guard let item = files.observer[path], path != above else { throw Self.notFound(path) }
    // A folder's attributes and contents are seen by whoever looks into it.
    let isFolder = item.kind == .directory
    folder = isFolder ? try SharedFolder.at(above, depth: 1) : files
    state = Guarded(ObjectState(item))
    self.announce = announce
    listen(to: isFolder ? .folder(item.uuid) : .item(item.uuid))
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
    let token = token.withLock { token in
      defer { token = nil }
      return token
    }
    token?.invalidate()
  }

  /// Waits until the state to start from is taken: what happens after that is told.
  private func listen(to scope: FileSystemObserver.Scope) {
    let beginning = FirstListing()
    let token = folder.observer.addNotificationBlock(
      startingWith: .snapshot, of: scope, including: .attributes
    ) { [weak self] observer, event in
      self?.take(event, of: observer)
      beginning.note(event)
    }
    self.token.withLock { $0 = token }
    beginning.wait()
  }

  // MARK: Events

  private func take(_ event: FileSystemObserver.Event, of observer: FileSystemObserver) {
    let events = state.withLock { state -> [Event] in
      switch event {
      case .didChange(let changes): return state.events(for: changes)
      case .reset(let snapshot, _): return state.events(for: snapshot[state.uuid])
      case .didEnd:
        let isThere = FileManager.default.fileExists(atPath: observer.directory.string)
        return state.eventsAfterLoss(isFolderThere: isThere)
      case .rootMoved(let former, let path):
        state.follow(former, to: path)
        return []
      default: return []
      }
    }
    for event in events { announce(event) }
  }
}
