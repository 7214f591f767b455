import CGLib
import Foundation

/// A GLib main loop on the default context.
@MainActor @safe final class Loop {
  private let pointer: OpaquePointer?

  init() {
    unsafe pointer = unsafe g_main_loop_new(nil, 0)
  }

  isolated deinit {
    unsafe g_main_loop_unref(pointer)
  }

  /// Runs it until it is quit.
  func run() { unsafe g_main_loop_run(pointer) }

  func quit() { unsafe g_main_loop_quit(pointer) }

  var isRunning: Bool { unsafe g_main_loop_is_running(pointer) != 0 }

  /// Whether something had to be done, which then is done; does not wait.
  static func turn() -> Bool { g_main_context_iteration(nil, 0) != 0 }
}

/// What GLib's loop calls.
@MainActor @safe enum Source {
  private final class Block {
    let body: @MainActor () -> Bool
    init(_ body: @escaping @MainActor () -> Bool) { self.body = body }
  }

  /// Calls the block every few milliseconds until it says that this was enough.
  static func timer(milliseconds: UInt32, _ body: @escaping @MainActor () -> Bool) {
    unsafe g_timeout_add_full(G_PRIORITY_DEFAULT, milliseconds, call, retained(body), release)
  }

  /// Calls the block once after some milliseconds.
  static func after(milliseconds: UInt32, _ body: @escaping @MainActor () -> Void) {
    timer(milliseconds: milliseconds) {
      body()
      return false
    }
  }

  /// Calls the block when nothing of a higher priority has to be done, until it says that this was enough.
  static func idle(priority: Int32 = G_PRIORITY_DEFAULT_IDLE, _ body: @escaping @MainActor () -> Bool) {
    unsafe g_idle_add_full(priority, call, retained(body), release)
  }

  private static func retained(_ body: @escaping @MainActor () -> Bool) -> UnsafeMutableRawPointer {
    unsafe Unmanaged.passRetained(Block(body)).toOpaque()
  }

  private static let call: @convention(c) (UnsafeMutableRawPointer?) -> gboolean = { pointer in
    guard let pointer = unsafe pointer else { return 0 }
    nonisolated(unsafe) let block = unsafe Unmanaged<Block>.fromOpaque(pointer).takeUnretainedValue()
    return MainActor.assumeIsolated { unsafe block.body() } ? 1 : 0
  }

  private static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { pointer in
    if let pointer = unsafe pointer { unsafe Unmanaged<Block>.fromOpaque(pointer).release() }
  }
}

/// Whether the first thread of the process runs this.
var isMainThread: Bool { Thread.isMainThread }
