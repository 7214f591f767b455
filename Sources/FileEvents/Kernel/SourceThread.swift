import LinuxFileSystem
import SystemPackage

/// The thread of a source; it may be started again after its end.
struct SourceThread: ~Copyable, Sendable {
  private let running = Mutex<NativeThread?>(nil)

  func start(named name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
    let started = try NativeThread(name: name, body)
    running.withLock { $0 = started }
  }

  /// Waits for the end of the thread, which must have been requested; not longer than `longestFarewell`.
  func join() {
    let ended = running.withLock { running in
      defer { running = nil }
      return running
    }
    ended?.join(until: .now + longestFarewell)
  }
}
