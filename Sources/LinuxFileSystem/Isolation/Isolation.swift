internal import CLinux
import Glibc
internal import SystemPackage

/// Runs calls that may never return, in a process that shares the memory and the open files of this one.
///
/// A thread stuck in the kernel (state D of proc_pid_status(5)), for instance in a FUSE request without an answer,
/// prevents the end of its process, even by SIGKILL. A call in another process does not: this process ends, and the
/// other is killed as soon as the call returns.
enum Isolation {
  private static let isInside = ThreadFlag()
  private static let stackSize = 8 << 20

  private final class Start: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Whether the caller runs in such a process.
  ///
  /// A thread started there would belong to that process.
  static var isCurrent: Bool { isInside.isSet }

  /// Runs `body`, and waits for its end, on a thread that does nothing else.
  ///
  /// If no process can be created, the thread itself runs `body`.
  static func run(_ body: @escaping @Sendable () -> Void) {
    let start = Start(body)
    let context = unsafe Unmanaged.passUnretained(start).toOpaque()
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK
    let stack = unsafe mmap(nil, stackSize, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let stack = unsafe stack, unsafe stack != MAP_FAILED else { return body() }
    let status = unsafe clinux_run_isolated({ unsafe Isolation.enter($0) }, context, stack, stackSize)
    if status == -1 { body() }
    unsafe munmap(stack, stackSize)
    withExtendedLifetime(start) {}
    // A signal that would have ended this process ends it. SIGKILL is meant for the other process alone.
    let signal = status & 0x7f
    if status != -1, signal != 0, signal != SIGKILL { abort() }
  }

  private static func enter(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let start = unsafe Unmanaged<Start>.fromOpaque(context).takeUnretainedValue()
    isInside.whileSet { start.body() }
  }
}
