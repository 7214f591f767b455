import FileIdentity
package import SystemPackage

/// Makes events of what the engine of one run puts out.
package struct Announcer: Sendable {
  let directory: FilePath
  let epoch: UInt64
  let policy: FileSystemObserver.RootLossPolicy

  package init(directory: FilePath, epoch: UInt64, policy: FileSystemObserver.RootLossPolicy) {
    self.directory = directory
    self.epoch = epoch
    self.policy = policy
  }

  package func announce(_ output: EngineOutput, to hub: NotificationHub) {
    switch output {
    case .discovered(let inventory, let sequence):
      hub.post { scope in firstScan(inventory, sequence, scope).map { .didChange($0) } }
    case .changes(let log, let snapshot, let sequence):
      hub.post { scope in changes(log, snapshot, sequence, scope).map { .didChange($0) } }
    // Where observation ends, `didEnd` says so.
    case .rootLost where policy == .end: break
    case .willScan(let reason): hub.postScan(.willBeginFullScan(reason))
    case .didScan(let summary): hub.postScan(.didCompleteFullScan(summary))
    case .diagnostic(let diagnostic): hub.post { _ in .diagnostic(diagnostic) }
    case .rootLost(let error): hub.post { _ in .diagnostic(diagnostic(error)) }
    }
  }

  private func diagnostic(_ error: FileSystemObserverError) -> FileSystemObserver.Diagnostic {
    FileSystemObserver.Diagnostic(code: .rootLost, sentence: "\(error.message)", path: error.path, errno: error.errno)
  }

  private func firstScan(
    _ inventory: FirstInventory, _ sequence: UInt64, _ scope: FileSystemObserver.Scope
  ) -> FileSystemChanges? {
    let inventory = inventory.restricted(to: scope)
    if inventory.order.isEmpty { return nil }
    return FileSystemChanges(inventory, sequence: sequence, directory: directory, epoch: epoch)
  }

  private func changes(
    _ log: ScopedLog, _ snapshot: GraphStorage?, _ sequence: UInt64, _ scope: FileSystemObserver.Scope
  ) -> FileSystemChanges? {
    guard let log = log[scope] else { return nil }
    return FileSystemChanges(log, snapshot, sequence: sequence, directory: directory, epoch: epoch)
  }
}
