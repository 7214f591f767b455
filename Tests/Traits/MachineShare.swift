import Glibc
import LinuxFileSystem
import ObservationTestSupport
package import Testing

/// How much of the machine a test takes.
///
/// Tests run side by side, but not all of them at once: the kernel gives a user 128 inotify instances, and a test whose
/// file operations have their true times must not share two processors with a storm of 20,000 renames.
package struct MachineShare: TestTrait, SuiteTrait, TestScoping {
  /// A privileged observer is told of all that happens on its file system, so that with each one more every operation
  /// costs more.
  fileprivate static let whole = geteuid() == 0 && TestSource.named == nil ? 48 : 80
  fileprivate let parts: Int
  fileprivate var turn = Turn.usual

  fileprivate enum Turn: Int {
    case first, usual, last
  }

  package var isRecursive: Bool { true }

  /// The time limit of a test includes the wait for its turn.
  private static let shortestLimit = Duration.seconds(600)

  @concurrent package func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable @concurrent () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await body() }
    if let limit = test.timeLimit, limit < Self.shortestLimit {
      Issue.record("\(limit) may pass before its turn comes")
    }
    await Machine.shared.take(self)
    defer { Machine.shared.giveBack(self) }
    try await timed(test) { try await body() }
  }
}

/// Runs one case of a test, and prints how long it took, of which `Scripts/test` makes a table.
///
/// What the log says includes the time for which it waited for its turn.
package func timed(_ test: Test, _ body: () async throws -> Void) async throws {
  let begin = Moment.now
  defer {
    let tenths = Int((.now - begin).seconds * 10)
    print("took: \(tenths / 10).\(tenths % 10) s: \(test.name)")
  }
  try await body()
}

extension Trait where Self == MachineShare {
  /// A few files and one observer.
  package static var light: MachineShare { MachineShare(parts: 1) }
  /// Programs that start one after the other, or a good deal to do for a few seconds.
  package static var busy: MachineShare { MachineShare(parts: 2) }
  /// The same for a minute: it begins before the others, which would be done long before it.
  package static var long: MachineShare { MachineShare(parts: 2, turn: .first) }
  /// Keeps the processors busy for a while.
  package static var heavy: MachineShare { MachineShare(parts: MachineShare.whole / 2) }
  /// Computes all the time: as many at once as there are processors.
  package static var processor: MachineShare {
    MachineShare(parts: MachineShare.whole / min(MachineShare.whole, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }
  /// Must be alone in its process; comes last, so that the others have to end but once.
  package static var alone: MachineShare { MachineShare(parts: MachineShare.whole, turn: .last) }
}

/// Gives out shares: to those whose turn it is, first come, first served.
private final class Machine: Sendable {
  static let shared = Machine()

  private struct Request {
    let share: MachineShare
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var free = MachineShare.whole
    var queue: [Request] = []

    mutating func append(_ request: Request) {
      let next = queue.firstIndex { $0.share.turn.rawValue > request.share.turn.rawValue }
      queue.insert(request, at: next ?? queue.endIndex)
    }

    /// The next one, where there is room for it.
    mutating func next() -> Request? {
      guard let next = queue.first, next.share.parts <= free else { return nil }
      free -= next.share.parts
      return queue.removeFirst()
    }
  }

  private let state = Mutex(State())

  func take(_ share: MachineShare) async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.append(Request(share: share, continuation: continuation)) }
      serve()
    }
  }

  func giveBack(_ share: MachineShare) {
    state.withLock { $0.free += share.parts }
    serve()
  }

  private func serve() {
    while let served = state.withLock({ $0.next() }) { served.continuation.resume() }
  }
}
