import CAdwaita

/// What GLib's main loop calls as long as the program runs.
enum MainLoop {
  private final class Block {
    let body: () -> Void

    init(_ body: @escaping () -> Void) {
      self.body = body
    }
  }

  /// Calls a block every some milliseconds.
  static func every(_ milliseconds: guint, _ body: @escaping () -> Void) {
    g_timeout_add_full(G_PRIORITY_DEFAULT, milliseconds, callBlock, retained(body), nil)
  }

  /// Calls a block when the process gets a signal, such as SIGTERM.
  static func on(signal: Int32, _ body: @escaping () -> Void) {
    g_unix_signal_add_full(G_PRIORITY_DEFAULT, signal, callBlock, retained(body), nil)
  }

  private static func retained(_ body: @escaping () -> Void) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(Block(body)).toOpaque()
  }

  fileprivate static func call(_ block: UnsafeMutableRawPointer) {
    Unmanaged<Block>.fromOpaque(block).takeUnretainedValue().body()
  }
}

nonisolated private func callBlock(_ block: gpointer?) -> gboolean {
  guard let block else { return 0 }
  nonisolated(unsafe) let pointer = block
  MainActor.assumeIsolated { MainLoop.call(pointer) }
  return 1
}
