package import SystemPackage

/// An open directory that several may hold; closed when the last of them lets go.
///
/// The scan keeps the handle of a directory as long as children of it wait to be opened; the prober keeps those used last.
package final class DirectoryHandle: Sendable {
  package let descriptor: OwnedDescriptor

  package init(_ descriptor: consuming OwnedDescriptor) {
    self.descriptor = descriptor
  }

  /// Opens one directory below this one, never following a symbolic link.
  package func open(_ name: NameView, for access: OwnedDescriptor.Access) throws(Errno) -> DirectoryHandle {
    DirectoryHandle(try OwnedDescriptor.open(name, in: descriptor, for: access))
  }
}
