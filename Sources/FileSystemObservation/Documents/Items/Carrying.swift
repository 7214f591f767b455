import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Carries a document's properties over to a new file, and records the failures.
package struct Carrying: ~Copyable {
  /// Called before each property is carried; a thrown error counts as the kernel's answer.
  package typealias Hook = @Sendable (FileSystemObserver.CarryFailure.Property) throws(Errno) -> Void

  private(set) var failures: [FileSystemObserver.CarryFailure] = []
  private let before: Hook?

  init(before: Hook?) {
    self.before = before
  }

  /// Errors that mean that a property is not supported or not permitted, or that there is no space for it.
  ///
  /// Any other error is a failure of the disk or of this program.
  private static let refusals: Set<Errno> = [
    .notPermitted, .permissionDenied, .noSpace, .diskQuotaExceeded, .notSupported, .noFunction, .invalidArgument,
    .outOfRange, .argListTooLong, .fileTooLarge,
  ]

  /// Carries one property.
  ///
  /// - Returns: Whether it succeeded.
  @discardableResult
  mutating func attempt(
    _ property: FileSystemObserver.CarryFailure.Property, _ attribute: AttributeName? = nil,
    _ body: () throws(Errno) -> Void
  ) throws(Errno) -> Bool {
    do throws(Errno) {
      try before?(property)
      try body()
      return true
    } catch {
      guard Self.refusals.contains(error) else { throw error }
      note(property, attribute, error)
      return false
    }
  }

  /// Records a failure.
  mutating func note(
    _ property: FileSystemObserver.CarryFailure.Property, _ attribute: AttributeName? = nil, _ errno: Errno
  ) {
    failures.append(FileSystemObserver.CarryFailure(property: property, attributeName: attribute?.string, errno: errno))
  }
}

extension Carrying {
  /// Carries all extended attributes but the tag.
  ///
  /// An access control list inherited from the folder is replaced by the document's, or removed.
  mutating func carryAttributes(
    from document: borrowing OwnedDescriptor, to file: borrowing OwnedDescriptor, but tag: AttributeName
  ) throws(Errno) {
    let names = try AttributeCopy.names(of: document).filter { $0 != tag }
    try removeInherited(AttributeCopy.accessControlList, of: file)
    for name in names {
      try attempt(name.isAccessControlList ? .accessControlList : .attribute, name) { () throws(Errno) in
        try AttributeCopy.copy(name, from: document, to: file)
      }
    }
  }

  /// Removes what a new folder has inherited, so that what is made in it does not inherit it, too.
  mutating func removeInheritedLists(of folder: DirectoryHandle) throws(Errno) {
    try removeInherited(AttributeCopy.inheritedList, of: folder.descriptor)
    try removeInherited(AttributeCopy.accessControlList, of: folder.descriptor)
  }

  private mutating func removeInherited(
    _ list: AttributeName, of file: borrowing OwnedDescriptor
  ) throws(Errno) {
    do throws(Errno) {
      _ = try ExtendedAttribute.remove(list, from: file)
    } catch {
      // A file system without such lists cannot have given one.
      if error == .notSupported || error == .noFunction { return }
      guard Self.refusals.contains(error) else { throw error }
      note(.accessControlList, list, error)
    }
  }

  /// Whether the document's access control list could not be carried.
  private var hasLostList: Bool { failures.contains { $0.property == .accessControlList } }

  /// Gives the file the owner and group of a document as far as permitted.
  ///
  /// - Returns: The permissions that the file may have: another owner or group does not get the old one's rights.
  mutating func carryOwner(
    of document: FileStatus, to file: borrowing OwnedDescriptor
  ) throws(Errno) -> UInt32 {
    let present = try FileStatus.of(file)
    var permissions = document.permissions
    if document.group != present.group {
      let isKept = try attempt(.group) { () throws(Errno) in try file.setOwner(group: document.group) }
      if !isKept { permissions &= ~0o2070 | (permissions << 3) & 0o070 }
    }
    if document.owner != present.owner {
      let isKept = try attempt(.owner) { () throws(Errno) in try file.setOwner(document.owner) }
      if !isKept { permissions &= ~0o4000 }
    }
    return permissions
  }

  /// Sets the permissions of the file, and checks whether they are those of the document.
  ///
  /// The kernel removes some bits silently, and some file systems keep no permissions.
  mutating func carryPermissions(
    _ permissions: UInt32, wanted: UInt32, to file: borrowing OwnedDescriptor
  ) throws(Errno) {
    var given = permissions
    // With an access control list the group bits are a mask for its entries; without, they are the group's own rights.
    if hasLostList { given &= ~0o070 | (given << 3) & 0o070 }
    guard try attempt(.permissions, nil, { () throws(Errno) in try file.setPermissions(given) }) else { return }
    if try FileStatus.of(file).permissions != wanted { note(.permissions, nil, failures.first?.errno ?? .notPermitted) }
  }
}
