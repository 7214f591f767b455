import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Gives a new file what a document carries besides its contents, and remembers what it could not be given.
package struct Carrying: ~Copyable {
  /// Called before each property is carried; what it throws is taken as the kernel's answer.
  ///
  /// For tests.
  package typealias Hook = @Sendable (FileSystemObserver.CarryFailure.Property) throws(Errno) -> Void

  private(set) var failures: [FileSystemObserver.CarryFailure] = []
  private let before: Hook?

  init(before: Hook?) {
    self.before = before
  }

  /// What says that a property cannot be had here, or not by this user, or that there is no room for it; anything else
  /// is an error of the disk or of this program.
  private static let refusals: Set<Errno> = [
    .notPermitted, .permissionDenied, .noSpace, .diskQuotaExceeded, .notSupported, .noFunction, .invalidArgument,
    .outOfRange, .argListTooLong, .fileTooLarge,
  ]

  /// Carries one property.
  ///
  /// - Returns: Whether it arrived.
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

  /// Remembers that a property did not arrive.
  mutating func note(
    _ property: FileSystemObserver.CarryFailure.Property, _ attribute: AttributeName? = nil, _ errno: Errno
  ) {
    failures.append(FileSystemObserver.CarryFailure(property: property, attributeName: attribute?.string, errno: errno))
  }
}

extension Carrying {
  /// Carries all extended attributes but the tag; a list of rights that the new file inherited from its folder gives
  /// way to the document's, or to none.
  mutating func carryAttributes(
    from document: borrowing OwnedDescriptor, to file: borrowing OwnedDescriptor, but tag: AttributeName
  ) throws(Errno) {
    let names = try AttributeCopy.names(of: document).filter { $0 != tag }
    try removeInheritedList(of: file)
    for name in names {
      try attempt(name.isAccessControlList ? .accessControlList : .attribute, name) { () throws(Errno) in
        try AttributeCopy.copy(name, from: document, to: file)
      }
    }
  }

  private mutating func removeInheritedList(of file: borrowing OwnedDescriptor) throws(Errno) {
    do throws(Errno) {
      _ = try ExtendedAttribute.remove(AttributeCopy.accessControlList, from: file)
    } catch {
      // A file system without such lists has none to inherit.
      if error == .notSupported || error == .noFunction { return }
      guard Self.refusals.contains(error) else { throw error }
      note(.accessControlList, AttributeCopy.accessControlList, error)
    }
  }

  /// Whether the document's list of rights did not arrive.
  private var hasLostList: Bool { failures.contains { $0.property == .accessControlList } }

  /// Gives the file the owner and group of a document as far as permitted.
  ///
  /// - Returns: The permissions it may then have: rights that the old owner or group had are not passed on to another.
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

  /// Gives the file permissions, and looks whether it has those of the document then.
  ///
  /// The kernel takes bits away without a word, and some file systems keep no permissions.
  mutating func carryPermissions(
    _ permissions: UInt32, wanted: UInt32, to file: borrowing OwnedDescriptor
  ) throws(Errno) {
    var given = permissions
    // With the list, the bits of the group were a bound for everybody in it; without, they are the group's own.
    if hasLostList { given &= ~0o070 | (given << 3) & 0o070 }
    guard try attempt(.permissions, nil, { () throws(Errno) in try file.setPermissions(given) }) else { return }
    if try FileStatus.of(file).permissions != wanted { note(.permissions, nil, failures.first?.errno ?? .notPermitted) }
  }
}
