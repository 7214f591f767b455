import LinuxFileSystem

/// Tasks for the engine to do between two of its steps.
///
/// Each task is called exactly once: with the engine, or without one if observation has ended.
final class EngineTasks: Sendable {
  typealias Task = @Sendable (ObservationDriver.HostEngine?) -> Void

  private struct State: Sendable {
    var tasks: [Task] = []
    var isEnded = false
  }

  private let state = Mutex(State())

  /// Adds a task, or calls the task at once if observation has ended.
  func put(_ task: @escaping Task) {
    let isEnded = state.withLock { state in
      if !state.isEnded { state.tasks.append(task) }
      return state.isEnded
    }
    if isEnded { task(nil) }
  }

  func perform(by engine: ObservationDriver.HostEngine) {
    for task in take() { task(engine) }
  }

  /// Ends all tasks: the engine performs no more.
  func end() {
    state.withLock { $0.isEnded = true }
    for task in take() { task(nil) }
  }

  private func take() -> [Task] {
    state.withLock { state in
      if state.tasks.isEmpty { return [] }
      defer { state.tasks = [] }
      return state.tasks
    }
  }
}
