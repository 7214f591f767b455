import CAdwaita

// GTK's objects are pointers, and its classes are the types of these pointers. What the macros of C do (`GTK_WINDOW(…)`)
// is done here: no other file casts a pointer.

/// Any widget: what GTK's functions that make one return.
typealias Widget = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer {
  /// The same object as another of its classes.
  func cast<Class>(to type: Class.Type = Class.self) -> UnsafeMutablePointer<Class> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Class.self)
  }

  /// The same object as a class or interface whose structure is private.
  var opaque: OpaquePointer { OpaquePointer(self) }

  /// The same object as `GObject`.
  var object: UnsafeMutablePointer<GObject> { cast() }
}

extension OpaquePointer {
  /// The same object as a class whose structure is public.
  func cast<Class>(to type: Class.Type = Class.self) -> UnsafeMutablePointer<Class> { UnsafeMutablePointer(self) }

  /// The same object as a widget.
  var widget: Widget { cast() }

  /// The same object as `GObject`.
  var object: UnsafeMutablePointer<GObject> { cast() }

  /// The same object as a plain pointer.
  var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

/// A reference to an object of GTK, which is given back with the last copy.
final class Reference {
  let pointer: OpaquePointer

  /// Adds a reference to an object, or takes the floating one of a new object.
  init(to pointer: OpaquePointer) {
    self.pointer = pointer
    g_object_ref_sink(pointer.raw)
  }

  /// Adds a reference to a widget.
  convenience init(to widget: Widget) { self.init(to: widget.opaque) }

  /// Takes the reference that a function gave to its caller.
  init(taking pointer: OpaquePointer) {
    self.pointer = pointer
  }

  isolated deinit { g_object_unref(pointer.raw) }
}

/// A string that GLib gave to its caller; GLib's memory is freed.
nonisolated func taken(_ text: UnsafeMutablePointer<CChar>?) -> String? {
  guard let text else { return nil }
  defer { g_free(text) }
  return String(cString: text)
}
