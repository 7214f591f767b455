import Dispatch
import Synchronization
import TestTraits
import Testing

/// Runs the tests of a suite on threads of their own, each of which has one test at a time.
///
/// Waiting for another process blocks a thread. The shared pool has one thread a core: blocked, it would hold up every
/// other test, and those that measure how long something takes would measure that.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  private static let threads = (0..<16).map { BlockingThread(number: $0) }
  private static let turn = Atomic<Int>(0)

  var isRecursive: Bool { true }

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let turn = Self.turn.wrappingAdd(1, ordering: .relaxed).oldValue
    try await withTaskExecutorPreference(Self.threads[turn % Self.threads.count]) {
      try await timed(test) { try await function() }
    }
  }
}

extension Trait where Self == OwnThreads {
  /// On threads that may be blocked.
  static var ownThreads: Self { OwnThreads() }
}

/// One thread that may be blocked.
private final class BlockingThread: TaskExecutor {
  private let queue: DispatchQueue

  init(number: Int) {
    queue = DispatchQueue(label: "blocking tests \(number)")
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
