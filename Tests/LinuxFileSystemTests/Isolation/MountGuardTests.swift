import Dispatch
import Glibc
import LinuxFileSystem
import Synchronization
import SystemPackage
import Testing

struct MountGuardTests {
  @Test func whatIsAskedForIsAnswered() throws {
    let guardian = MountGuard()
    defer { guardian.end() }
    #expect(try guardian.perform { _ in 7 } == 7)
    #expect(throws: Errno.noSuchFileOrDirectory) {
      try guardian.perform { (_) throws(Errno) in throw Errno.noSuchFileOrDirectory }
    }
  }

  /// A process that is stuck does not keep this one from ending.
  @Test func callsAreMadeInAnotherProcess() throws {
    let guardian = MountGuard()
    defer { guardian.end() }
    #expect(try guardian.perform { _ in getpid() } != getpid())
    #expect(throws: Errno.resourceTemporarilyUnavailable) {
      try guardian.perform { (_) throws(Errno) in _ = try NativeThread(name: "none") {} }
    }
  }

  @Test func whatIsOpenedThereIsOpenHere() throws {
    let guardian = MountGuard()
    defer { guardian.end() }
    let number = try guardian.perform { _ in unsafe open("/", O_RDONLY | O_CLOEXEC) }
    #expect(fcntl(number, F_GETFD) >= 0)
    close(number)
  }

  @Test func whatDoesNotAnswerIsLeftAloneUntilItDoes() throws {
    let news = Atomic(0)
    let release = DispatchSemaphore(value: 0)
    let guardian = MountGuard(timeout: 50_000_000) { news.add(1, ordering: .relaxed) }
    defer { guardian.end() }
    #expect(throws: Errno.timedOut) { try guardian.perform { _ in release.wait() } }
    #expect(guardian.takeSilence())
    #expect(!guardian.takeSilence())
    // Nobody waits for it a second time.
    let start = MonotonicTime.now
    for _ in 0..<100 { #expect(throws: Errno.timedOut) { try guardian.perform { _ in 0 } } }
    #expect(MonotonicTime.now - start < 2_500_000_000)
    release.signal()
    while (try? guardian.perform { _ in 7 }) == nil { sched_yield() }
    #expect(guardian.takeAnswer())
    #expect(news.load(ordering: .relaxed) == 2)
  }

  @Test func whatGoesOnIsWaitedFor() throws {
    let guardian = MountGuard(timeout: 100_000_000)
    defer { guardian.end() }
    let steps = try guardian.perform { progress in
      for _ in 0..<20 {
        usleep(20_000)
        progress.note()
      }
      return 20
    }
    #expect(steps == 20)
  }

  @Test func nobodyWaitsWhenItEnds() throws {
    let release = DispatchSemaphore(value: 0)
    let guardian = MountGuard(timeout: 60_000_000_000)
    let start = MonotonicTime.now
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { guardian.end() }
    #expect(throws: Errno.timedOut) { try guardian.perform { _ in release.wait() } }
    #expect(MonotonicTime.now - start < 30_000_000_000)
    #expect(throws: Errno.timedOut) { try guardian.perform { _ in 0 } }
    release.signal()
  }
}
