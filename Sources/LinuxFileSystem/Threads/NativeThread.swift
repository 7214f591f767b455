import Glibc
package import SystemPackage

/// A thread for blocking work, outside the cooperative pool.
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
  /// `top -H` shows the name, of at most 15 bytes.
  ///
  /// - Throws: EAGAIN at the limit of threads, or within another process (see `Isolation`).
  package init(name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
    if Isolation.isCurrent { throw .resourceTemporarilyUnavailable }
    var handle = pthread_t()
    let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
    let code = unsafe pthread_create(&handle, nil, { unsafe NativeThread.run($0) }, start.toOpaque())
    guard code == 0 else {
      unsafe start.release()
      throw Errno(rawValue: code)
    }
    self.handle = handle
  }

  /// Whether the caller is the first thread of the process, which runs main loops.
  package static var isMain: Bool { getpid() == gettid() }

  private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
    _ = unsafe pthread_setname_np(pthread_self(), start.name)
    start.body()
    return nil
  }

  /// Waits for the end of the thread.
  ///
  /// Call it once. On the thread itself it only detaches.
  package func join() {
    if isCurrent {
      _ = pthread_detach(handle)
    } else {
      _ = pthread_join(handle, nil)
    }
  }

  /// Waits until a moment, and then detaches the thread, which may be stuck in the kernel.
  ///
  /// - Returns: Whether the thread has ended.
  @discardableResult
  package func join(until deadline: MonotonicTime) -> Bool {
    if isCurrent {
      detach()
      return true
    }
    // pthread_timedjoin_np(3) expects wall clock time.
    let end = WallClock.nanoseconds + max(0, deadline - .now)
    var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    if unsafe pthread_timedjoin_np(handle, nil, &time) == 0 { return true }
    detach()
    return false
  }

  /// Detaches the thread.
  ///
  /// Call it once, and not after `join()`.
  package func detach() {
    _ = pthread_detach(handle)
  }

  /// Whether the caller runs on this thread.
  package var isCurrent: Bool { pthread_equal(pthread_self(), handle) != 0 }
}

/// The longest wait, in nanoseconds, for running work when observation ends.
package let longestFarewell: Int64 = 1_500_000_000

/// The number of processors available to this process.
package var processorCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }
