import Glibc
package import SystemPackage

/// A thread of its own, for work that blocks: never a thread of the cooperative pool.
package final class NativeThread: Sendable {
  private let handle: pthread_t

  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Starts the thread.
  ///
  /// The name, of at most 15 bytes, shows in `top -H`.
  package init(name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
    var handle = pthread_t()
    let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
    let code = unsafe pthread_create(&handle, nil, { unsafe NativeThread.run($0) }, start.toOpaque())
    guard code == 0 else {
      unsafe start.release()
      throw Errno(rawValue: code)
    }
    self.handle = handle
  }

  private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
    _ = unsafe pthread_setname_np(pthread_self(), start.name)
    start.body()
    return nil
  }

  /// Waits until the thread has ended.
  ///
  /// Call it once; from the thread itself it does nothing but let go of it.
  package func join() {
    if isCurrent {
      _ = pthread_detach(handle)
    } else {
      _ = pthread_join(handle, nil)
    }
  }

  /// Lets go of the thread, which ends when it ends.
  ///
  /// Call it once, and not after `join()`.
  package func detach() {
    _ = pthread_detach(handle)
  }

  /// Whether the caller runs on this thread.
  package var isCurrent: Bool { pthread_equal(pthread_self(), handle) != 0 }
}

/// The number of processors the scheduler may use for this process.
package var processorCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }
