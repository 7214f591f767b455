import FileSystemObservation
import FoundationEssentials

/// The model of an app: what is in a folder, as the events of an observer tell it.
actor Library {
  private let observer: FileSystemObserver
  /// The model that the library offers.
  private(set) var tree: FileSystemTree
  /// The same by hand, for an app whose files have one name each.
  private(set) var paths: [UUID: FilePath] = [:]
  private var following: Task<Void, any Error>?
  private var waiting: (isReached: @Sendable (FileSystemTree) -> Bool, continuation: CheckedContinuation<Void, Never>)?

  init(_ observer: FileSystemObserver) {
    self.observer = observer
    tree = FileSystemTree(directory: observer.directory)
  }

  /// Begins to follow; the sequence begins with the whole state.
  func follow() {
    let events = observer.events()
    following = Task {
      for try await event in events { take(event) }
    }
  }

  /// Stops following.
  func pause() async {
    following?.cancel()
    await ended()
  }

  /// Waits for the end of the sequence.
  func ended() async {
    do { try await following?.value } catch { fail("\(error)") }
    following = nil
  }

  /// Waits until the tree is as it should be.
  func wait(until isReached: @escaping @Sendable (FileSystemTree) -> Bool) async {
    if isReached(tree) { return }
    await withCheckedContinuation { waiting = (isReached, $0) }
  }

  private func take(_ event: FileSystemObserver.Event) {
    tree.apply(event)
    switch event {
    case .reset(let snapshot, _):
      paths = Dictionary(uniqueKeysWithValues: snapshot.map { ($0.uuid, $0.relativePath) })
    case .didChange(let changes):
      if changes.isFirstScan { paths = [:] }
      for change in changes { note(change, in: changes) }
    default: break
    }
    guard let (isReached, continuation) = waiting, isReached(tree) else { return }
    waiting = nil
    continuation.resume()
  }

  /// A folder takes along what is in it.
  private func note(_ change: FileSystemChange, in changes: FileSystemChanges) {
    switch change.event {
    case .deleted: paths[change.uuid] = nil
    case .renamed, .moved:
      for moved in [change] + changes.movesBelow(change) { paths[moved.uuid] = moved.item.relativePath }
    case .discovered, .duplicated: paths[change.uuid] = change.item.relativePath
    default: break
    }
  }
}
