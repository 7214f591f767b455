internal import CLinux
import Glibc
import Synchronization
internal import SystemPackage

/// Runs what may never come back in a process of its own, which shares the memory and the open files of this one.
///
/// A thread that is stuck in the kernel (state D of proc_pid_status(5)), as one is whose FUSE file system has taken a
/// request and does not answer, keeps its process from ending, even by SIGKILL. This one is no thread of the process:
/// it ends without it, and the other is killed as soon as it comes out of the kernel.
enum Isolation {
  private static let isInside = ThreadFlag()
  private static let stackSize = 8 << 20
  private static let running = Atomic(0)

  private final class Start: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Whether the caller runs in such a process: a thread that it started would be one of that, and not of this.
  static var isCurrent: Bool { isInside.isSet }

  /// Whether there is any such process: what is open stays open in it when this one ends.
  static var isAnyLeft: Bool { running.load(ordering: .sequentiallyConsistent) > 0 }

  /// Runs `body`, and waits until it has come back, on a thread that does nothing else.
  ///
  /// Where such a process is forbidden, or there may be no more, the thread itself runs it.
  static func run(_ body: @escaping @Sendable () -> Void) {
    let start = Start(body)
    let context = unsafe Unmanaged.passUnretained(start).toOpaque()
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK
    let stack = unsafe mmap(nil, stackSize, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let stack = unsafe stack, unsafe stack != MAP_FAILED else { return body() }
    running.add(1, ordering: .sequentiallyConsistent)
    defer { running.subtract(1, ordering: .sequentiallyConsistent) }
    let status = unsafe clinux_run_isolated({ unsafe Isolation.enter($0) }, context, stack, stackSize)
    if status == -1 { body() }
    unsafe munmap(stack, stackSize)
    withExtendedLifetime(start) {}
    // What would have ended the process ends it: only whoever kills that one means nothing but that.
    let signal = status & 0x7f
    if status != -1, signal != 0, signal != SIGKILL { abort() }
  }

  private static func enter(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let start = unsafe Unmanaged<Start>.fromOpaque(context).takeUnretainedValue()
    isInside.whileSet { start.body() }
  }
}
