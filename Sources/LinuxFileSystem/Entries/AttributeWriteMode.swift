/// The way to write an attribute.
package enum AttributeWriteMode: Sendable {
  /// `XATTR_CREATE`: fails with EEXIST if the attribute exists.
  case create
  /// Creates or replaces the attribute.
  case set

  var flags: CInt {
    switch self {
    case .create: 1  // XATTR_CREATE
    case .set: 0
    }
  }
}
