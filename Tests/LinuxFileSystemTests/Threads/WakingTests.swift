import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WakingTests {
  @Test func aSignalThatWasSentBeforeIsNotLost() throws {
    let signal = try WakeSignal()
    signal.send()
    signal.send()
    signal.wait(nanoseconds: nil)
    // Both are taken by one wait: the next one runs into its limit.
    let start = MonotonicTime.now
    signal.wait(nanoseconds: 20_000_000)
    #expect(MonotonicTime.now - start >= 20_000_000)
  }

  @Test func aSignalWakesAnotherThread() throws {
    let (signal, answer) = (try WakeSignal(), try WakeSignal())
    let thread = try NativeThread(name: "test") {
      signal.wait(nanoseconds: nil)
      answer.send()
    }
    signal.send()
    answer.wait(nanoseconds: nil)
    thread.join()
  }

  @Test func anAlarmEndsTheWaitWhenItsTimeHasCome() throws {
    let alarm = try Alarm()
    let start = MonotonicTime.now
    alarm.set(after: 5_000_000)
    alarm.wait()
    #expect(MonotonicTime.now - start >= 5_000_000)
  }

  /// Also where its time has come before it is taken back.
  @Test func anAlarmThatIsTakenBackEndsNoWait() throws {
    let alarm = try Alarm()
    alarm.set(after: 0)
    try WakeSignal().wait(nanoseconds: 2_000_000)
    alarm.cancel()
    let start = MonotonicTime.now
    alarm.set(after: 20_000_000)
    alarm.wait()
    #expect(MonotonicTime.now - start >= 20_000_000)
  }

  @Test(arguments: [0, -5]) func aTimeThatIsOverDoesNotWait(_ nanoseconds: Int64) throws {
    try WakeSignal().wait(nanoseconds: nanoseconds)
  }

  @Test func theLongestTimeIsNotOver() throws {
    let signal = try WakeSignal()
    let woken = Mutex(false)
    let thread = try NativeThread(name: "test") {
      signal.wait(nanoseconds: .max)
      woken.withLock { $0 = true }
    }
    #expect(!woken.withLock { $0 })
    signal.send()
    thread.join()
    #expect(woken.withLock { $0 })
  }

  @Test func aClearedSignalDoesNotWake() throws {
    let signal = try WakeSignal()
    signal.send()
    signal.clear()
    signal.clear()
    let start = MonotonicTime.now
    signal.wait(nanoseconds: 5_000_000)
    #expect(MonotonicTime.now - start >= 5_000_000)
  }

  @Test func epollTellsWhichDescriptorCanBeRead() throws {
    let epoll = try Epoll()
    let (first, second) = (try WakeSignal(), try WakeSignal())
    try epoll.add(first.descriptor, token: 1)
    try epoll.add(second.descriptor, token: .max)
    second.send()
    #expect(try epoll.wait() == .max)
    #expect(try epoll.wait() == .max, "it tells until the signal is taken")
    second.clear()
    first.send()
    #expect(try epoll.wait() == 1)
    #expect(throws: Errno.fileExists) { try epoll.add(first.descriptor, token: 3) }
  }

  /// With one event a call, a descriptor that is always ready must not hide the other.
  @Test func epollStarvesNobody() throws {
    let epoll = try Epoll()
    let (first, second) = (try WakeSignal(), try WakeSignal())
    try epoll.add(first.descriptor, token: 1)
    try epoll.add(second.descriptor, token: 2)
    first.send()
    second.send()
    let tokens = Set([try epoll.wait(), try epoll.wait()])
    #expect(tokens == [1, 2])
  }
}
