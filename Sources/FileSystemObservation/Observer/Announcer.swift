import FileIdentity
import LinuxFileSystem
package import SystemPackage

/// Converts the output of one run's engine to events.
package final class Announcer: Sendable {
  /// Replaced when the observed directory moves.
  private let currentDirectory: Mutex<FilePath>
  private let epoch: UInt64
  private let policy: FileSystemObserver.RootLossPolicy
  private let rootMoved: @Sendable (FilePath) -> Void

  /// - Parameter rootMoved: Called with the directory's new path before the move is announced.
  package init(
    directory: FilePath, epoch: UInt64, policy: FileSystemObserver.RootLossPolicy,
    rootMoved: @escaping @Sendable (FilePath) -> Void = { _ in }
  ) {
    currentDirectory = Mutex(directory)
    self.epoch = epoch
    self.policy = policy
    self.rootMoved = rootMoved
  }

  private var directory: FilePath { currentDirectory.withLock { $0 } }

  package func announce(_ output: EngineOutput, to hub: NotificationHub) {
    switch output {
    case .discovered(let inventory, let sequence):
      hub.post { terms in firstScan(inventory, sequence, terms.scope).map { .didChange($0) } }
    case .changes(let log, let snapshot, let sequence):
      hub.postChanges(isOwn: log.whole.isOwn) { terms in changes(log, snapshot, sequence, terms.scope) }
    case .details(let found, let sequence):
      hub.post { terms in details(found, sequence, terms).map { .didChange($0) } }
    // If observation ends, `didEnd` announces it.
    case .rootLost where policy != .waitForReturn: break
    case .rootLost(let error): hub.post { _ in .diagnostic(diagnostic(error)) }
    case .rootMoved(let old, let new):
      currentDirectory.withLock { $0 = new }
      rootMoved(new)
      hub.post { _ in .rootMoved(from: old, to: new) }
    case .willScan(let reason): hub.postScan(.willBeginFullScan(reason))
    case .progress(let progress): hub.post { _ in .scanProgress(progress) }
    case .didScan(let summary): hub.postScan(.didCompleteFullScan(summary))
    case .diagnostic(let diagnostic): hub.post { _ in .diagnostic(diagnostic) }
    }
  }

  private func diagnostic(_ error: FileSystemObserverError) -> FileSystemObserver.Diagnostic {
    FileSystemObserver.Diagnostic(
      code: .rootLost,
      sentence: "\(directory) was removed, moved away or unmounted; observation goes on when it is back",
      path: error.path, errno: error.errno)
  }

  private func firstScan(
    _ inventory: FirstInventory, _ sequence: UInt64, _ scope: FileSystemObserver.Scope
  ) -> FileSystemChanges? {
    let inventory = inventory.restricted(to: scope)
    if inventory.order.isEmpty { return nil }
    return FileSystemChanges(inventory, sequence: sequence, directory: directory, epoch: epoch)
  }

  private func details(
    _ found: [Detail], _ sequence: UInt64, _ terms: Subscription.Terms
  ) -> FileSystemChanges? {
    let wanted = found.filter { terms.details.contains($0.kind) && $0.isIn(terms.scope) }.map(\.change)
    if wanted.isEmpty { return nil }
    return FileSystemChanges(details: wanted, sequence: sequence, directory: directory, epoch: epoch)
  }

  private func changes(
    _ log: ScopedLog, _ snapshot: GraphStorage?, _ sequence: UInt64, _ scope: FileSystemObserver.Scope
  ) -> FileSystemChanges? {
    guard let log = log[scope] else { return nil }
    return FileSystemChanges(log, snapshot, sequence: sequence, directory: directory, epoch: epoch, scope: scope)
  }
}
