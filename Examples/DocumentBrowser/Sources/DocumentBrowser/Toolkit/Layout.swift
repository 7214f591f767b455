import CAdwaita

/// The objects of a file of `Resources`, by their names.
final class Layout {
  private let builder: Reference

  /// Makes the objects.
  ///
  /// - Parameter file: The contents of the file, which is a part of the program.
  init(_ file: [UInt8]) {
    let text = String(decoding: file, as: UTF8.self)
    builder = Reference(taking: gtk_builder_new_from_string(text, gssize(text.utf8.count)))
  }

  /// An object of the file.
  func object(_ name: String) -> OpaquePointer {
    guard let object = gtk_builder_get_object(builder.pointer, name) else {
      preconditionFailure("the file of Resources has no object \"\(name)\"")
    }
    return object.opaque
  }

  /// A widget of the file.
  func widget(_ name: String) -> Widget { object(name).widget }
}
