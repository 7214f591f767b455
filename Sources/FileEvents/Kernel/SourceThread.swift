import LinuxFileSystem
import SystemPackage

/// The thread on which a source reads; it may be started again after it has ended.
struct SourceThread: ~Copyable, Sendable {
  private let running = Mutex<NativeThread?>(nil)

  func start(named name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
    let started = try NativeThread(name: name, body)
    running.withLock { $0 = started }
  }

  /// Waits until it has ended, which it has been told to do, but not for ever.
  func join() {
    let ended = running.withLock { running in
      defer { running = nil }
      return running
    }
    ended?.join(until: .now + longestFarewell)
  }
}
