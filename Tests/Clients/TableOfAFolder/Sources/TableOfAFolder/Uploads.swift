import FileSystemObservation
import Synchronization

/// Notes the files that other programs have changed.
final class Uploads: Sendable {
  let token: NotificationToken
  private let noted: Noted

  init(of observer: FileSystemObserver) {
    let noted = Noted()
    self.noted = noted
    token = observer.addNotificationBlock(startingWith: .now) { _, event in
      if case .didChange(let changes) = event, !changes.isForReplayOnly { noted.take(changes) }
    }
  }

  /// The names of the files that were saved, without repetition.
  var names: Set<String> { noted.names.withLock { $0 } }

  func end() { token.invalidate() }

  private final class Noted: Sendable {
    let names = Mutex<Set<String>>([])

    func take(_ changes: FileSystemChanges) {
      for change in changes {
        check(change.origin == .other, "an own change is announced to a listener that was left out: \(change)")
      }
      let saved = changes.filter { $0.kind == .modified }.map(\.item.name)
      names.withLock { $0.formUnion(saved) }
    }
  }
}
