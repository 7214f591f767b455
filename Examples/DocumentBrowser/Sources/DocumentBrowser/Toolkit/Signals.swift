import CAdwaita

/// What a signal of GTK tells: first who sent it.
struct SignalArguments {
  fileprivate let values: UnsafePointer<GValue>
  fileprivate let count: Int

  private func value(_ index: Int) -> UnsafePointer<GValue> {
    precondition(index < count, "the signal has \(count) arguments")
    return values + index
  }

  /// An object, such as the sender, with the number 0.
  func object(_ index: Int) -> OpaquePointer? { g_value_get_object(value(index)).map { OpaquePointer($0) } }

  /// A whole number or a value of an enumeration.
  func int(_ index: Int) -> Int {
    let value = value(index)
    return switch g_type_fundamental(value.pointee.g_type) {
    case GObjectType.unsigned: Int(g_value_get_uint(value))
    case GObjectType.enumeration: Int(g_value_get_enum(value))
    case GObjectType.flags: Int(g_value_get_flags(value))
    default: Int(g_value_get_int(value))
    }
  }

  /// A number.
  func double(_ index: Int) -> Double { g_value_get_double(value(index)) }

  /// A truth value.
  func bool(_ index: Int) -> Bool { g_value_get_boolean(value(index)) != 0 }

  /// A text.
  func string(_ index: Int) -> String? { g_value_get_string(value(index)).map { String(cString: $0) } }

  /// A value of `GVariant`.
  func variant(_ index: Int) -> OpaquePointer? { g_value_get_variant(value(index)) }

  /// The value that is dropped on a widget.
  func dropped(_ index: Int) -> UnsafePointer<GValue>? {
    g_value_get_boxed(value(index)).map { UnsafePointer($0.assumingMemoryBound(to: GValue.self)) }
  }

  /// A plain pointer.
  func pointer(_ index: Int) -> UnsafeMutableRawPointer? { g_value_get_pointer(value(index)) }
}

/// The numbers of GLib's fundamental types, which are macros in C.
nonisolated enum GObjectType {
  static let bool = GType(5 << 2)
  static let int = GType(6 << 2)
  static let unsigned = GType(7 << 2)
  static let enumeration = GType(12 << 2)
  static let flags = GType(13 << 2)
  static let double = GType(15 << 2)
  static let string = GType(16 << 2)
}

/// The number of a connected block.
struct Connection {
  fileprivate let number: gulong
}

// MARK: - Connecting

extension UnsafeMutablePointer<GObject> {
  /// Calls a block with each signal of a name, until the object is gone; then the block is released.
  @discardableResult
  func on(_ signal: String, _ body: @escaping (SignalArguments) -> Void) -> Connection {
    connect(signal) { arguments, _ in body(arguments) }
  }

  /// Calls a block that answers the signal with a truth value.
  func onAnswering(_ signal: String, _ body: @escaping (SignalArguments) -> Bool) {
    connect(signal) { g_value_set_boolean($1, body($0) ? 1 : 0) }
  }

  /// Calls a block that answers the signal with an object, of which it gives away a reference.
  func onGiving(_ signal: String, _ body: @escaping (SignalArguments) -> OpaquePointer?) {
    connect(signal) { g_value_take_object($1, body($0)?.raw) }
  }

  /// Calls a block that answers the signal with flags.
  func onChoosing(_ signal: String, _ body: @escaping (SignalArguments) -> UInt32) {
    connect(signal) { g_value_set_flags($1, body($0)) }
  }

  /// Calls nothing that is connected while a block runs.
  func blocking(_ connection: Connection?, _ body: () -> Void) {
    guard let connection else { return body() }
    g_signal_handler_block(self, connection.number)
    body()
    g_signal_handler_unblock(self, connection.number)
  }

  @discardableResult
  private func connect(_ signal: String, _ body: @escaping Handler.Body) -> Connection {
    let closure = g_closure_new_simple(
      guint(MemoryLayout<GClosure>.size), Unmanaged.passRetained(Handler(body)).toOpaque())
    g_closure_set_marshal(closure, callHandler)
    g_closure_add_finalize_notifier(closure, nil, releaseHandler)
    return Connection(number: g_signal_connect_closure(self, signal, closure, 0))
  }
}

extension OpaquePointer {
  /// Calls a block with each signal of a name; see the call of `GObject`.
  @discardableResult
  func on(_ signal: String, _ body: @escaping (SignalArguments) -> Void) -> Connection { object.on(signal, body) }
}

extension Widget {
  /// Calls a block with each signal of a name; see the call of `GObject`.
  @discardableResult
  func on(_ signal: String, _ body: @escaping (SignalArguments) -> Void) -> Connection { object.on(signal, body) }
}

// MARK: - Closures

/// What a closure of GLib has.
private final class Handler {
  typealias Body = (SignalArguments, UnsafeMutablePointer<GValue>?) -> Void
  let body: Body

  init(_ body: @escaping Body) {
    self.body = body
  }
}

/// GTK sends signals on the main thread only.
nonisolated private func callHandler(
  _ closure: UnsafeMutablePointer<GClosure>?, _ result: UnsafeMutablePointer<GValue>?, _ count: guint,
  _ values: UnsafePointer<GValue>?, _ hint: gpointer?, _ data: gpointer?
) {
  guard let handler = closure?.pointee.data, let values else { return }
  nonisolated(unsafe) let call = (handler: handler, result: result, values: values)
  MainActor.assumeIsolated {
    Unmanaged<Handler>.fromOpaque(call.handler).takeUnretainedValue()
      .body(SignalArguments(values: call.values, count: Int(count)), call.result)
  }
}

nonisolated private func releaseHandler(_ data: gpointer?, _ closure: UnsafeMutablePointer<GClosure>?) {
  if let handler = closure?.pointee.data { Unmanaged<Handler>.fromOpaque(handler).release() }
}
