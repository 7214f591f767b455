/// How an attribute is to be written.
package enum AttributeWriteMode: Sendable {
  /// `XATTR_CREATE`: fails with EEXIST where there is one already.
  case create
  /// Whether there is one or not.
  case set

  var flags: CInt {
    switch self {
    case .create: 1  // XATTR_CREATE
    case .set: 0
    }
  }
}
