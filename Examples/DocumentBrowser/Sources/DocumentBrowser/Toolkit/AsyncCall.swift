import CAdwaita

/// A call of GIO that ends later, with a callback.
enum AsyncCall {
  private final class Ending {
    let finish: (OpaquePointer?) -> Void

    init(_ finish: @escaping (OpaquePointer?) -> Void) {
      self.finish = finish
    }
  }

  /// Begins a call.
  ///
  /// - Parameters:
  ///   - body: Makes the call with this callback and its data.
  ///   - finish: Called once with the `GAsyncResult`.
  static func begin(
    _ body: (GAsyncReadyCallback, gpointer) -> Void, finish: @escaping (OpaquePointer?) -> Void
  ) {
    body(endCall, Unmanaged.passRetained(Ending(finish)).toOpaque())
  }

  fileprivate static func end(_ ending: UnsafeMutableRawPointer, _ result: OpaquePointer?) {
    Unmanaged<Ending>.fromOpaque(ending).takeRetainedValue().finish(result)
  }

  /// The message of a call that can fail; `nil` if it has not.
  static func failure(_ body: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> gboolean) -> String? {
    var error: UnsafeMutablePointer<GError>?
    let isDone = body(&error) != 0
    defer { if let error { g_error_free(error) } }
    return isDone ? nil : error.map { String(cString: $0.pointee.message) } ?? "nobody knows why"
  }
}

nonisolated private func endCall(_ object: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?)
{
  guard let data else { return }
  nonisolated(unsafe) let call = (data: data, result: result)
  MainActor.assumeIsolated { AsyncCall.end(call.data, call.result) }
}
