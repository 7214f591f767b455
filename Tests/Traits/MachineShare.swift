import LinuxFileSystem
package import Testing

/// How much of the machine a test takes.
///
/// Tests run side by side, but not all of them at once: the kernel gives a user 128 inotify instances, and a test whose file
/// operations have their true times must not share two processors with a storm of 20,000 renames.
package struct MachineShare: TestTrait, SuiteTrait, TestScoping {
  fileprivate static let whole = 40
  fileprivate let parts: Int

  package var isRecursive: Bool { true }

  @concurrent package func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable @concurrent () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await body() }
    await Machine.shared.take(parts)
    defer { Machine.shared.giveBack(parts) }
    try await body()
  }
}

extension Trait where Self == MachineShare {
  /// A few files and one observer.
  package static var light: MachineShare { MachineShare(parts: 1) }
  /// Programs that start one after the other, or a good deal to do for a few seconds.
  package static var busy: MachineShare { MachineShare(parts: 2) }
  /// Keeps the processors busy for a while.
  package static var heavy: MachineShare { MachineShare(parts: MachineShare.whole / 2) }
  /// Must be alone.
  package static var alone: MachineShare { MachineShare(parts: MachineShare.whole) }
}

/// Gives out shares, first come, first served.
private final class Machine: Sendable {
  static let shared = Machine()

  private struct State {
    var free = MachineShare.whole
    var queue: [(parts: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  func take(_ parts: Int) async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.queue.append((parts, continuation)) }
      serve()
    }
  }

  func giveBack(_ parts: Int) {
    state.withLock { $0.free += parts }
    serve()
  }

  private func serve() {
    let served = state.withLock { state in
      var served: [CheckedContinuation<Void, Never>] = []
      while let first = state.queue.first, first.parts <= state.free {
        state.free -= first.parts
        served.append(first.continuation)
        state.queue.removeFirst()
      }
      return served
    }
    for continuation in served { continuation.resume() }
  }
}
