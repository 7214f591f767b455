import FileSystemObservation
import FoundationEssentials
import Synchronization

/// Shows where a document is, as long as it is open.
final class Window: Sendable {
  private let uuid: UUID
  private let shown = Mutex<FilePath?>(nil)

  init(of uuid: UUID) {
    self.uuid = uuid
  }

  var path: FilePath? { shown.withLock { $0 } }

  func take(_ event: FileSystemObserver.Event) {
    switch event {
    case .reset(let snapshot, _): show(snapshot[uuid]?.path)
    case .didChange(let changes): if let change = changes[uuid].last { show(change.path) }
    default: break
    }
  }

  private func show(_ path: FilePath?) { shown.withLock { $0 = path } }
}
