import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

/// Calls that signals interrupt.
@Suite(.timeLimit(.minutes(1)))
struct RetryOnInterruptTests {
  /// What became of a call.
  private struct Outcome: Sendable {
    var result: Result<Int, Errno>?
    var calls = 0
    /// How many calls failed with EINTR.
    var interruptions = 0
  }

  /// A timer that sends signals to the thread that makes it, until the thread lets go of it.
  @safe private struct SignalTimer: ~Copyable {
    private var timer: timer_t?

    /// - Throws: What the system says.
    init(every nanoseconds: Int) throws {
      // Of the signals for applications, one that nobody else uses. Without SA_RESTART it ends a call that waits.
      let signal = __libc_current_sigrtmin() + 5
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { _ in }
      var event = unsafe sigevent()
      unsafe event.sigev_signo = signal
      unsafe event.sigev_notify = 4  // SIGEV_THREAD_ID
      unsafe event._sigev_un._tid = gettid()
      // Threads of libdispatch block signals, and so do the threads that they make.
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe sigaddset(&signals, signal)
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      let interval = timespec(tv_sec: 0, tv_nsec: nanoseconds)
      var times = itimerspec(it_interval: interval, it_value: interval)
      guard unsafe sigaction(signal, &action, nil) == 0, unsafe timer_create(CLOCK_MONOTONIC, &event, &timer) == 0,
        unsafe timer_settime(timer, 0, &times, nil) == 0
      else { throw Errno(rawValue: errno) }
    }

    deinit {
      unsafe timer_delete(timer)
    }
  }

  /// Reads from an empty pipe under a fire of signals; before the last call, there is something to read.
  private static func readInterrupted(times count: Int) throws -> Outcome {
    let (reading, writing) = try FileDescriptor.pipe()
    defer {
      try? reading.close()
      try? writing.close()
    }
    var outcome = Outcome()
    let timer = try SignalTimer(every: 1_000_000)
    outcome.result = Result { () throws(Errno) -> Int in
      try retryingOnInterrupt {
        var byte: UInt8 = 1
        if outcome.interruptions == count { unsafe write(writing.rawValue, &byte, 1) }
        outcome.calls += 1
        let result = unsafe read(reading.rawValue, &byte, 1)
        if result == -1, errno == EINTR { outcome.interruptions += 1 }
        return result
      }
    }
    _ = consume timer
    return outcome
  }

  @Test func anInterruptedCallIsMadeAgain() throws {
    let outcome = Mutex(Outcome())
    let failure = Mutex<(any Error)?>(nil)
    let thread = try NativeThread(name: "interrupted") {
      do {
        let found = try Self.readInterrupted(times: 3)
        outcome.withLock { $0 = found }
      } catch {
        failure.withLock { $0 = error }
      }
    }
    try #require(thread.join(until: .now + 20_000_000_000), "no signal interrupts the call")
    if let error = failure.withLock({ $0 }) { throw error }
    let found = outcome.withLock { $0 }
    #expect(found.result == .success(1))
    #expect(found.interruptions == 3)
    #expect(found.calls == 4)
  }

  @Test func anyOtherErrorIsThrownAtOnce() {
    var calls = 0
    #expect(throws: Errno.badFileDescriptor) {
      try retryingOnInterrupt {
        calls += 1
        return fcntl(-1, F_GETFD)
      }
    }
    #expect(calls == 1)
  }
}
