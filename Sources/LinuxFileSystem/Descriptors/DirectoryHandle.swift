import Synchronization
package import SystemPackage

/// An open directory that several may hold; closed when the last of them lets go.
///
/// The scan keeps the handle of a directory as long as children of it wait to be opened; the prober keeps those used
/// last.
package final class DirectoryHandle: Sendable {
  package let descriptor: OwnedDescriptor
  /// Found when it is first asked for: neither the handle nor the mount of what is open ever changes.
  private let location = AtomicLazyReference<Location>()
  private let guardian = AtomicLazyReference<MountGuard>()
  /// Whether something would be mounted if it were looked into (autofs): it was opened without that.
  package let isAutomount: Bool

  package init(_ descriptor: consuming OwnedDescriptor, isAutomount: Bool = false) {
    self.descriptor = descriptor
    self.isAutomount = isAutomount
  }

  /// Who does whatever is to be done with it, where it is on a mount that may not answer.
  package var mountGuard: MountGuard? { guardian.load() }

  /// The same, with a guard; it keeps the one that it has.
  package func guarded(by mountGuard: MountGuard) -> DirectoryHandle {
    _ = guardian.storeIfNil(mountGuard)
    return self
  }

  /// Does what may take for ever where the directory is on a mount that may not answer.
  ///
  /// - Throws: ETIMEDOUT where it does not answer; what `body` throws.
  package func guarded<Result>(
    _ body: @escaping @Sendable () throws(Errno) -> Result
  ) throws(Errno) -> Result {
    guard let mountGuard else { return try body() }
    return try mountGuard.perform { (_) throws(Errno) in try body() }
  }

  /// Opens a directory below this one without having anything mounted there.
  package func openAutomount(_ name: NameView) throws(Errno) -> DirectoryHandle {
    let opened = try OwnedDescriptor.openPath(name, in: descriptor)
    guard try FileStatus.of(opened).kind == .directory else { throw .notDirectory }
    return DirectoryHandle(opened, isAutomount: true)
  }

  /// Opens one directory below this one, never following a symbolic link.
  package func open(_ name: NameView, for access: OwnedDescriptor.Access) throws(Errno) -> DirectoryHandle {
    DirectoryHandle(try OwnedDescriptor.open(name, in: descriptor, for: access))
  }

  /// The kernel's handle of it, and the mount through which it was opened.
  ///
  /// - Parameter identifier: The identifier of the file system on a mount, see `KernelHandle.located(_:identifier:)`.
  package func located(
    identifier: (MountNumber) throws(Errno) -> UInt64
  ) throws(Errno) -> (handle: KernelHandle, mount: MountNumber) {
    if let known = location.load() { return (known.handle, known.mount) }
    let (handle, mount) = try KernelHandle.located(descriptor, identifier: identifier)
    _ = location.storeIfNil(Location(handle, mount))
    return (handle, mount)
  }
}

private final class Location: Sendable {
  let handle: KernelHandle
  let mount: MountNumber

  init(_ handle: KernelHandle, _ mount: MountNumber) {
    self.handle = handle
    self.mount = mount
  }
}
