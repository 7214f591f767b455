import FileSystemObservation
import FoundationEssentials

/// Remembers which documents were seen being copied, so that their end can be shown for a while.
final class CopyWatch {
  /// What is to be shown of a document.
  enum State {
    case none, copying, finished

    /// What a person reads.
    var title: String {
      switch self {
      case .none: ""
      case .copying: "Copying…"
      case .finished: "Copied"
      }
    }
  }

  /// Called with a document whose end was shown for long enough.
  var onForget: ((UUID) -> Void)?

  private var copying: Set<UUID> = []
  private var finished: Set<UUID> = []

  /// How long it is shown that a copy is finished.
  private static let duration = Duration.seconds(8)

  /// Takes a state of a document.
  func state(of item: FileSystemItem.Snapshot) -> State {
    if item.isCopying {
      copying.insert(item.uuid)
      return .copying
    }
    if copying.remove(item.uuid) != nil { noteEnd(of: item.uuid) }
    return finished.contains(item.uuid) ? .finished : .none
  }

  private func noteEnd(of uuid: UUID) {
    finished.insert(uuid)
    Task { [weak self] in
      try? await Task.sleep(for: Self.duration)
      self?.finished.remove(uuid)
      self?.onForget?(uuid)
    }
  }
}
