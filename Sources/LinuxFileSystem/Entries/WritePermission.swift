import Glibc
package import SystemPackage

/// Whether a file may be written to, and with it its attributes.
package enum WritePermission {
  /// What `setxattr(2)` would say of one name in a directory; nothing where it may be written.
  package static func refusal(of name: NameView, in directory: borrowing OwnedDescriptor) -> Errno? {
    if let status = try? FileStatus.of(name, in: directory), status.isImmutable { return .notPermitted }
    let parent = directory.number
    let result = try? retryingOnInterrupt { unsafe faccessat(parent, name.cString, W_OK, AT_EACCESS) }
    return result == nil ? Errno(rawValue: errno) : nil
  }
}
