import Dispatch
import FileSystemObservation
import FoundationEssentials
import Synchronization

/// What a block has been told, for a thread that waits for it.
final class Inbox: Sendable {
  private let events = Mutex<[FileSystemObserver.Event]>([])
  private let total = Mutex(0)
  private let arrived = DispatchSemaphore(value: 0)

  func put(_ event: FileSystemObserver.Event) {
    print(event)
    events.withLock { $0.append(event) }
    total.withLock { $0 += 1 }
    arrived.signal()
  }

  /// The number of events so far.
  var count: Int { total.withLock { $0 } }

  func awaitScan() {
    while true {
      if case .didCompleteFullScan = next() { return }
    }
  }

  /// Waits for a change of a document, which then must be at a path; without a UUID, for one of whatever is there.
  func await(_ kind: FileSystemChange.Kind, of uuid: UUID?, at path: FilePath) {
    while true {
      guard case .didChange(let changes) = next() else { continue }
      let wanted = changes.first { $0.kind == kind && $0.uuid == uuid ?? $0.uuid }
      guard let wanted else { continue }
      return check(wanted.path == path, "\(kind) at \(wanted.path), and not at \(path)")
    }
  }

  private func next() -> FileSystemObserver.Event {
    arrived.wait()
    return events.withLock { $0.removeFirst() }
  }
}
