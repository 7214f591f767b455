import CAdwaita

/// What is attached to an object of GTK lives as long as that object.
///
/// A factory finds its cell by that, and a click the row that it hit.
struct Attachment<Value: AnyObject> {
  private let key: GQuark

  init(_ name: String) {
    key = g_quark_from_string(name)
  }

  /// The value of an object.
  subscript(object: OpaquePointer) -> Value? {
    get {
      g_object_get_qdata(object.object, key).map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue() }
    }
    nonmutating set {
      let value = newValue.map { Unmanaged.passRetained($0 as AnyObject).toOpaque() }
      g_object_set_qdata_full(object.object, key, value, releaseAttachment)
    }
  }
}

nonisolated private func releaseAttachment(_ value: gpointer?) {
  if let value { Unmanaged<AnyObject>.fromOpaque(value).release() }
}
