internal import CLinux
import Glibc
package import SystemPackage

/// Changes of names in directories.
package enum DirectoryChange {
  /// `renameat2(2)`.
  ///
  /// Replaces an object at the new name, or fails with EEXIST (`RENAME_NOREPLACE`).
  package static func rename(
    _ name: NameView, in directory: borrowing OwnedDescriptor, to newName: NameView,
    in newDirectory: borrowing OwnedDescriptor, replacing: Bool
  ) throws(Errno) {
    let (from, to) = (directory.number, newDirectory.number)
    let flags: UInt32 = replacing ? 0 : 1  // RENAME_NOREPLACE
    _ = try retryingOnInterrupt { unsafe clinux_renameat2(from, name.cString, to, newName.cString, flags) }
  }

  /// `linkat(2)`: adds a new name for a file.
  package static func link(
    _ name: NameView, in directory: borrowing OwnedDescriptor, to newName: NameView,
    in newDirectory: borrowing OwnedDescriptor
  ) throws(Errno) {
    let (from, to) = (directory.number, newDirectory.number)
    _ = try retryingOnInterrupt { unsafe clinux_linkat(from, name.cString, to, newName.cString, 0) }
  }

  /// `unlinkat(2)` of an object that is not a directory.
  package static func unlink(_ name: NameView, in directory: borrowing OwnedDescriptor) throws(Errno) {
    let parent = directory.number
    _ = try retryingOnInterrupt { unsafe Glibc.unlinkat(parent, name.cString, 0) }
  }
}
