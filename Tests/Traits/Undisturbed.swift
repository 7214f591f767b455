import LinuxFileSystem
import ObservationTestSupport
package import Testing

/// A test of what is told of operations that follow each other closely: it is done again if the machine stood still
/// meanwhile.
///
/// A document that is put back half a second after it was taken away was removed, and that is told; a test that does
/// both at once must not take the time of a machine that is busy elsewhere for a fault. What fails without a stall
/// fails, and so does what still fails the last time.
package struct Undisturbed: TestTrait, SuiteTrait, TestScoping {
  private static let attempts = 4

  package var isRecursive: Bool { true }

  @concurrent package func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable @concurrent () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await body() }
    for _ in 1..<Self.attempts {
      if try await isDone(test.name, body) { return }
    }
    try await body()
  }

  /// Whether the test succeeded, or failed for good: what it says after a stall is a known issue.
  private func isDone(_ name: String, _ body: @Sendable @concurrent () async throws -> Void) async throws -> Bool {
    // Asked for here, so that it looks from now on, and not from the first failure on.
    let watch = StallWatch.shared
    let begin = Moment.now
    let isDisturbed = Mutex(false)
    try await withKnownIssue("the machine stood still, so it is tried again", isIntermittent: true) {
      try await body()
    } matching: { _ in
      guard let stall = watch.longestStall(since: begin) else { return false }
      print("here: \(name): the machine stood still for \(stall)")
      isDisturbed.withLock { $0 = true }
      return true
    }
    return !isDisturbed.withLock { $0 }
  }
}

extension Trait where Self == Undisturbed {
  /// Done again if the machine stood still meanwhile.
  package static var undisturbed: Undisturbed { Undisturbed() }
}
