import LinuxFileSystem

/// What others want the engine to do between two of its steps.
///
/// Each task is called exactly once: with the engine, or without one where observation has ended.
final class EngineTasks: Sendable {
  typealias Task = @Sendable (ObservationDriver.HostEngine?) -> Void

  private struct State: Sendable {
    var tasks: [Task] = []
    var isEnded = false
  }

  private let state = Mutex(State())

  /// Takes a task in; where observation has ended, it is called at once.
  func put(_ task: @escaping Task) {
    let isEnded = state.withLock { state in
      if !state.isEnded { state.tasks.append(task) }
      return state.isEnded
    }
    if isEnded { task(nil) }
  }

  /// Does what is wanted.
  func perform(by engine: ObservationDriver.HostEngine) {
    for task in take() { task(engine) }
  }

  /// Nothing more is done by the engine.
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
