internal import CAttr
internal import CLinux
import Glibc
package import SystemPackage

/// Copies extended attributes and access control lists from one open file to another, with libattr.
package enum AttributeCopy {
  /// The access control list of a file; a new file may inherit one from its folder.
  package static let accessControlList = AttributeName("system.posix_acl_access")

  /// The access control list for new items in a folder.
  package static let inheritedList = AttributeName("system.posix_acl_default")

  /// The attributes that a copy should have: data first (`user.`), then access control lists, security labels and
  /// others.
  ///
  /// Leaves out what `/etc/xattr.conf` excludes. A file system without attributes has none.
  package static func names(of file: borrowing OwnedDescriptor) throws(Errno) -> [AttributeName] {
    _ = configurationIsRead
    let names = try ExtendedAttribute.names(of: file).filter { unsafe $0.withCString { unsafe isToBeCopied($0) } }
    return names.filter(\.isUserData) + names.filter { !$0.isUserData }
  }

  /// `attr_copy_fd(3)` of one attribute.
  package static func copy(
    _ attribute: AttributeName, from source: borrowing OwnedDescriptor, to destination: borrowing OwnedDescriptor
  ) throws(Errno) {
    let (source, destination) = (source.number, destination.number)
    _ = unsafe try attribute.withCString { (name) throws(Errno) -> CInt in
      var filter = unsafe cattr_filter(base: error_context(), name: name)
      return unsafe try withUnsafeMutablePointer(to: &filter) { (filter) throws(Errno) -> CInt in
        let context = unsafe UnsafeMutableRawPointer(filter).assumingMemoryBound(to: error_context.self)
        return try retryingOnInterrupt {
          unsafe attr_copy_fd("", source, "", destination, { unsafe AttributeCopy.isMeant($0, $1) ? 1 : 0 }, context)
        }
      }
    }
  }

  /// libattr reads its configuration on first use, without thread safety: so the first use is under a lock.
  private static let configurationIsRead: Bool = unsafe attr_copy_check_permissions("user.", nil) != 0

  private static func isMeant(_ name: UnsafePointer<CChar>?, _ context: UnsafeMutablePointer<error_context>?) -> Bool {
    guard let name = unsafe name, let context = unsafe context else { return false }
    let filter = unsafe UnsafeMutableRawPointer(context).assumingMemoryBound(to: cattr_filter.self)
    return unsafe strcmp(name, filter.pointee.name) == 0
  }

  /// libattr counts an access control list as a permission, and would leave it out.
  private static func isToBeCopied(_ name: UnsafePointer<CChar>) -> Bool {
    unsafe attr_copy_check_permissions(name, nil) != 0 || strcmp(name, "system.posix_acl_access") == 0
      || strcmp(name, "system.posix_acl_default") == 0 || strncmp(name, "system.nfs4", 11) == 0
  }
}

extension AttributeName {
  fileprivate var isUserData: Bool { string.hasPrefix("user.") }

  /// Whether this is an access control list.
  package var isAccessControlList: Bool { string.hasPrefix("system.") && string.contains("acl") }
}

extension ExtendedAttribute {
  /// `flistxattr(2)`: the names of all visible attributes; none if the file system has no attributes.
  package static func names(of file: borrowing OwnedDescriptor) throws(Errno) -> [AttributeName] {
    let number = file.number
    do throws(Errno) {
      // The list may have grown since its length was read.
      while true {
        let length = try retryingOnInterrupt { clinux_flistxattr(number, nil, 0) }
        if length == 0 { return [] }
        var buffer = [CChar](repeating: 0, count: length)
        let result = Result { () throws(Errno) in
          try retryingOnInterrupt { unsafe clinux_flistxattr(number, &buffer, length) }
        }
        if case .failure(.outOfRange) = result { continue }
        let count = try result.get()
        return buffer.prefix(count).split(separator: 0).map { name in
          AttributeName(bytes: name.map { UInt8(bitPattern: $0) })
        }
      }
    } catch {
      if error == .notSupported || error == .noFunction { return [] }
      throw error
    }
  }
}
