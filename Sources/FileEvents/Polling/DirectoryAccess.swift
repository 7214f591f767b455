package import LinuxFileSystem
package import SystemPackage

/// The file system calls of polling.
///
/// Every call is relative to an open directory, and follows no symbolic link.
package protocol DirectoryAccess: Sendable {
  /// An open directory, closed with its last reference.
  associatedtype Directory: AnyObject & Sendable

  /// Opens a directory by its path.
  func openRoot(at path: FilePath) throws(Errno) -> Directory
  /// The present path of an open directory; nothing if only its handle gives access to it.
  func path(of directory: Directory) -> FilePath?
  /// Opens a directory below another.
  func openDirectory(
    _ name: NameView, in directory: Directory, for access: OwnedDescriptor.Access
  ) throws(Errno) -> Directory
  /// Opens a directory again, for listing.
  func reopenForListing(_ directory: Directory) throws(Errno) -> Directory
  func status(of directory: Directory) throws(Errno) -> FileStatus
  func status(of name: NameView, in directory: Directory) throws(Errno) -> FileStatus
  /// Calls `body` with each entry of a directory that was opened for listing.
  func list(_ directory: Directory, _ body: (NameView, ListedKind, UInt64) -> Void) throws(Errno)
  /// Whether the times of a directory change with its entries, as POSIX requires.
  func timesFollowEntries(of directory: Directory) -> Bool
  /// Whether a directory may be kept open, although that prevents the unmounting of its file system.
  func mayStayOpen(_ directory: Directory) -> Bool
}

extension DirectoryAccess {
  package func timesFollowEntries(of directory: Directory) -> Bool { true }
  package func path(of directory: Directory) -> FilePath? { nil }
  package func mayStayOpen(_ directory: Directory) -> Bool { true }
}
