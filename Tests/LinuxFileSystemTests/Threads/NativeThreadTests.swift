import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

@Suite(.timeLimit(.minutes(10)))
struct NativeThreadTests {
  @Test func runsOnAThreadOfItsOwnWithItsName() throws {
    let seen = Mutex((name: "", thread: pthread_t()))
    let thread = try NativeThread(name: "fso-test") {
      var bytes = [UInt8](repeating: 0, count: 16)
      let file = unsafe try? FileDescriptor.open("/proc/thread-self/comm", .readOnly)
      let count =
        try? file?.closeAfter { unsafe try bytes.withUnsafeMutableBytes { unsafe try file?.read(into: $0) } } ?? 0
      let name = String(decoding: bytes.prefix(max(0, (count ?? 0) - 1)), as: UTF8.self)
      seen.withLock { $0 = (name, pthread_self()) }
    }
    #expect(!thread.isCurrent)
    thread.join()
    #expect(seen.withLock { $0.name } == "fso-test")
    #expect(seen.withLock { pthread_equal($0.thread, pthread_self()) } == 0)
  }

  @Test func letsGoOfWhatItsBodyHolds() throws {
    final class Held: Sendable {}
    weak var watched: Held?
    do {
      let held = Held()
      watched = held
      try NativeThread(name: "test") { _ = held }.join()
    }
    #expect(watched == nil)
  }

  @Test func knowsItselfAndCanLetGoOfItself() throws {
    let box = Mutex<NativeThread?>(nil)
    let (ready, done) = (try WakeSignal(), try WakeSignal())
    let wasCurrent = Mutex(false)
    let thread = try NativeThread(name: "test") {
      ready.wait(nanoseconds: nil)
      guard let own = box.withLock({ $0 }) else { return }
      wasCurrent.withLock { $0 = own.isCurrent }
      own.join()
      done.send()
    }
    box.withLock { $0 = thread }
    ready.send()
    done.wait(nanoseconds: nil)
    #expect(wasCurrent.withLock { $0 })
  }
}
