import Glibc
package import SystemPackage

/// The permission to write a file and its attributes.
package enum WritePermission {
  /// The error that `setxattr(2)` would have for a name in a directory; nothing if it is permitted.
  package static func refusal(of name: NameView, in directory: borrowing OwnedDescriptor) -> Errno? {
    if let status = try? FileStatus.of(name, in: directory), status.isImmutable { return .notPermitted }
    let parent = directory.number
    let result = try? retryingOnInterrupt { unsafe faccessat(parent, name.cString, W_OK, AT_EACCESS) }
    return result == nil ? Errno(rawValue: errno) : nil
  }
}
