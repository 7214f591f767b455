/// A POSIX access control list as the kernel stores it in `system.posix_acl_access` and `system.posix_acl_default`.
public enum AccessControlList {
  /// The attribute with the list of a file.
  public static let access = "system.posix_acl_access"
  /// The attribute with the list that what is created in a folder inherits.
  public static let inherited = "system.posix_acl_default"

  /// `u::rw-,u:ID:r--,g::r--,m::r--,o::---`.
  public static func lettingRead(user: UInt32) -> [UInt8] {
    let none = UInt32.max
    let entries: [(tag: UInt16, permissions: UInt16, id: UInt32)] = [
      (0x01, 6, none), (0x02, 4, user), (0x04, 4, none), (0x10, 4, none), (0x20, 0, none),
    ]
    return entries.reduce(into: bytes(of: UInt32(2))) { list, entry in
      list += bytes(of: entry.tag) + bytes(of: entry.permissions) + bytes(of: entry.id)
    }
  }

  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
