/// Does something when nothing else was asked for a while; as typed text is kept.
final class Delay {
  private let duration: Duration
  private var task: Task<Void, Never>?

  init(_ duration: Duration) {
    self.duration = duration
  }

  /// Does this after the time, and what was asked for before not at all.
  func perform(_ body: @escaping () -> Void) {
    task?.cancel()
    task = Task { [duration] in
      try? await Task.sleep(for: duration)
      if !Task.isCancelled { body() }
    }
  }

  /// Does not do what was asked for.
  func cancel() {
    task?.cancel()
    task = nil
  }
}
