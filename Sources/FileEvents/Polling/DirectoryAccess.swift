package import LinuxFileSystem
package import SystemPackage

/// What polling wants of a file system: to open directories, to list them, and to ask what a name stands for.
///
/// Everything is asked relative to an open directory, and no symbolic link is followed.
package protocol DirectoryAccess: Sendable {
  /// An open directory, closed when nobody holds it any more.
  associatedtype Directory: AnyObject & Sendable

  /// Opens a directory by its path.
  func openRoot(at path: FilePath) throws(Errno) -> Directory
  /// Where an open directory is now; nothing where only its handle leads to it.
  func path(of directory: Directory) -> FilePath?
  /// Opens a directory below another.
  func openDirectory(
    _ name: NameView, in directory: Directory, for access: OwnedDescriptor.Access
  ) throws(Errno) -> Directory
  /// Opens a directory once more, for listing it.
  func reopenForListing(_ directory: Directory) throws(Errno) -> Directory
  func status(of directory: Directory) throws(Errno) -> FileStatus
  func status(of name: NameView, in directory: Directory) throws(Errno) -> FileStatus
  /// Calls `body` with each entry of a directory that was opened for listing.
  func list(_ directory: Directory, _ body: (NameView, ListedKind, UInt64) -> Void) throws(Errno)
  /// Whether the times of a directory change with every change of its entries, as POSIX has it.
  func timesFollowEntries(of directory: Directory) -> Bool
  /// Whether a directory may be kept open: nothing on a mount can be, if that is to be unmounted.
  func mayStayOpen(_ directory: Directory) -> Bool
}

extension DirectoryAccess {
  package func timesFollowEntries(of directory: Directory) -> Bool { true }
  package func path(of directory: Directory) -> FilePath? { nil }
  package func mayStayOpen(_ directory: Directory) -> Bool { true }
}
