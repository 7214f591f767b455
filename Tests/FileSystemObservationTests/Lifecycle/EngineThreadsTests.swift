import Dispatch
import FileTestSupport
import LinuxFileSystem
import ObservationTestSupport
import Testing

@testable import FileSystemObservation

/// The two threads that share an engine, with a work that only counts.
@Suite(.timeLimit(.minutes(10))) struct EngineThreadsTests {
  /// Where `stop()` is called.
  private enum Place: CaseIterable {
    case outside, inServe, inTell
  }

  /// Serves the turns it is given, and tells of each.
  private final class Turns: Sendable {
    struct State: Sendable {
      var isEnded = false
      var servers = 0
      var tellers = 0
      var served = 0
      var told = 0
      var faults: [String] = []
      /// What a thread does the next time it serves or tells.
      var inServe: (@Sendable () -> Void)?
      var inTell: (@Sendable () -> Void)?
      /// How long it takes to let go of the engine.
      var ending = Duration.zero
    }

    let state = Mutex(State())
    private let turns = DispatchSemaphore(value: 0)

    var work: EngineThreads.Work {
      EngineThreads.Work(
        serve: { self.serve() }, announce: { self.tell() }, isEnded: { self.state.withLock { $0.isEnded } },
        end: { self.letGo() })
    }

    func give() { turns.signal() }

    func end() {
      state.withLock { $0.isEnded = true }
      turns.signal()
    }

    static func spend(_ time: Duration) {
      if time > .zero { (Moment.now + time).sleep() }
    }

    private func serve() -> Bool {
      let wanted = state.withLock { state -> (@Sendable () -> Void)? in
        state.servers += 1
        if state.servers > 1 { state.faults.append("served by two") }
        defer { state.inServe = nil }
        return state.inServe
      }
      wanted?()
      if !state.withLock({ $0.isEnded }) { turns.wait() }
      return state.withLock { state in
        state.servers -= 1
        if !state.isEnded { state.served += 1 }
        return !state.isEnded
      }
    }

    private func letGo() {
      let ending = state.withLock { state in
        // The one who serves may be the one who stops.
        if state.servers > 1 { state.faults.append("let go of while it is served") }
        return state.ending
      }
      Self.spend(ending)
    }

    private func tell() {
      let wanted = state.withLock { state -> (@Sendable () -> Void)? in
        state.tellers += 1
        state.told += 1
        defer { state.inTell = nil }
        return state.inTell
      }
      wanted?()
      state.withLock { $0.tellers -= 1 }
    }
  }

  private static let times: [Duration] = [.zero, .microseconds(200), .milliseconds(1), .milliseconds(6)]

  /// One life: some turns, of which telling takes no time, some, or longer than the engine waits for, and an end
  /// somewhere.
  private func live(_ random: inout SplitMix64) async throws {
    let turns = Turns()
    var threads: EngineThreads? = try EngineThreads(turns.work)
    weak let remaining = threads
    let stop: @Sendable () -> Void = { [weak threads] in
      turns.end()
      threads?.stop()
    }
    let place = Place.allCases.randomElement(using: &random)
    let pause = Self.times.randomElement(using: &random) ?? .zero
    let ending = Self.times.randomElement(using: &random) ?? .zero
    if place == .inServe { turns.state.withLock { $0.inServe = stop } }
    turns.state.withLock { state in
      state.ending = ending
      state.inTell = {
        Turns.spend(pause)
        if place == .inTell { stop() }
      }
    }
    try threads?.start()
    for _ in 0..<Int.random(in: 1...3, using: &random) { turns.give() }
    if place == .outside {
      // Now and then before the first turn is told of.
      if random.chance(2, of: 3) { _ = try await comesTrue { turns.state.withLock { $0.told > 0 } } }
      stop()
    }
    threads = nil
    // Each thread keeps them as long as it runs.
    #expect(try await comesTrue { remaining == nil }, "\(String(describing: place)), \(pause), \(ending)")
    turns.state.withLock { state in
      #expect(state.faults == [])
      #expect(state.told == state.served)
      #expect((state.servers, state.tellers) == (0, 0))
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func bothEndWhereverTheyAreStopped(_ seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 { try await live(&random) }
  }

  /// The other thread takes the engine while one is telling, and the teller is not waited for at the end.
  @Test func theEngineIsServedWhileSomethingIsTold() async throws {
    let turns = Turns()
    let isReleased = DispatchSemaphore(value: 0)
    turns.state.withLock { $0.inTell = { isReleased.wait() } }
    let threads = try EngineThreads(turns.work)
    try threads.start()
    for _ in 0..<3 { turns.give() }
    #expect(try await comesTrue { turns.state.withLock { $0.served == 3 && $0.tellers == 1 } })
    turns.end()
    threads.stop()
    #expect(turns.state.withLock { $0.tellers } == 1)
    isReleased.signal()
    #expect(try await comesTrue { turns.state.withLock { $0.tellers } == 0 })
  }
}
