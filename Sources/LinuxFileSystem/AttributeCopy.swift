internal import CAttr
import Glibc
package import SystemPackage

/// Copying the extended attributes and access control lists of one open file to another, with libattr.
package enum AttributeCopy {
  /// `attr_copy_fd(3)`: copies every attribute but the one named.
  ///
  /// What `/etc/xattr.conf` says is not to be copied is left out. The attributes of the name space `user.`, which are data, must
  /// arrive, unless the destination's file system keeps none; security labels and the like arrive where the caller may write them.
  /// An access control list that the destination inherited from its folder gives way to the source's, or to none.
  package static func copy(
    from source: borrowing OwnedDescriptor, to destination: borrowing OwnedDescriptor,
    leavingOut excluded: AttributeName
  ) throws(Errno) {
    _ = configurationIsRead
    try copy(from: source.number, to: destination.number, leavingOut: excluded, user: true, tolerating: [.notSupported])
    for list in accessControlLists {
      try tolerating(inability) { () throws(Errno) in _ = try ExtendedAttribute.remove(list, from: destination) }
    }
    try copy(from: source.number, to: destination.number, leavingOut: excluded, user: false, tolerating: inability)
  }

  private static let accessControlLists = [AttributeName("system.posix_acl_access")]

  /// What a file system without such attributes says, and one that does not let this process write them.
  private static let inability: Set<Errno> = [
    .notSupported, .noFunction, .notPermitted, .permissionDenied, .invalidArgument,
  ]

  /// libattr reads its configuration at the first question, and not thread-safely: so it is asked once under a lock.
  private static let configurationIsRead: Bool = unsafe attr_copy_check_permissions("user.", nil) != 0

  private static func tolerating(_ tolerated: Set<Errno>, _ body: () throws(Errno) -> Void) throws(Errno) {
    do throws(Errno) {
      try body()
    } catch {
      if !tolerated.contains(error) { throw error }
    }
  }

  private static func copy(
    from source: CInt, to destination: CInt, leavingOut excluded: AttributeName, user: Bool,
    tolerating tolerated: Set<Errno>
  ) throws(Errno) {
    try tolerating(tolerated) { () throws(Errno) in
      _ = unsafe try excluded.withCString { (name) throws(Errno) -> CInt in
        var filter = unsafe cattr_filter(base: error_context(), excluded: name, selects_user: user ? 1 : 0)
        return unsafe try withUnsafeMutablePointer(to: &filter) { (filter) throws(Errno) -> CInt in
          let context = unsafe UnsafeMutableRawPointer(filter).assumingMemoryBound(to: error_context.self)
          return try retryingOnInterrupt {
            unsafe attr_copy_fd(
              "", source, "", destination, { unsafe AttributeCopy.isWanted($0, $1) ? 1 : 0 }, unsafe context)
          }
        }
      }
    }
  }

  private static func isWanted(_ name: UnsafePointer<CChar>?, _ context: UnsafeMutablePointer<error_context>?) -> Bool {
    guard let name = unsafe name, let context = unsafe context else { return false }
    let filter = unsafe UnsafeMutableRawPointer(context).assumingMemoryBound(to: cattr_filter.self)
    let isUser = unsafe strncmp(name, "user.", 5) == 0
    guard unsafe isUser == (filter.pointee.selects_user != 0), unsafe strcmp(name, filter.pointee.excluded) != 0 else {
      return false
    }
    // A list of access rights is a "permission" to libattr, which by itself it would leave out.
    return unsafe attr_copy_check_permissions(name, context) != 0 || strcmp(name, "system.posix_acl_access") == 0
      || strncmp(name, "system.nfs4", 11) == 0
  }
}
