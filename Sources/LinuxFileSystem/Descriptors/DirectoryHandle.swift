import Synchronization
package import SystemPackage

/// A shared open directory, closed with its last reference.
///
/// The scan keeps the handle of a directory until its children are opened; the prober keeps recently used handles.
package final class DirectoryHandle: Sendable {
  package let descriptor: OwnedDescriptor
  /// Found on first use: the handle and the mount of an open directory never change.
  private let location = AtomicLazyReference<Location>()
  private let guardian = AtomicLazyReference<MountGuard>()
  /// Whether there is a guard: to ask for the reference costs the runtime hundreds of instructions each time.
  private let hasGuardian = Atomic(false)
  /// The device, once it is known; no directory is on device 0.
  private let knownDevice = Atomic<UInt64>(0)
  /// Whether a look into it would mount something (autofs); it was opened without mounting.
  package let isAutomount: Bool

  package init(_ descriptor: consuming OwnedDescriptor, isAutomount: Bool = false) {
    self.descriptor = descriptor
    self.isAutomount = isAutomount
  }

  /// The device that the directory is on, which never changes; asked for once.
  ///
  /// - Throws: An error of `statx(2)`.
  package func device() throws(Errno) -> UInt64 {
    let known = knownDevice.load(ordering: .relaxed)
    if known != 0 { return known }
    let device = try FileStatus.of(descriptor).device
    knownDevice.store(device, ordering: .relaxed)
    return device
  }

  /// The guard that makes all calls on a mount that may not answer.
  package var mountGuard: MountGuard? { hasGuardian.load(ordering: .acquiring) ? guardian.load() : nil }

  /// The same directory with a guard; an earlier guard stays.
  package func guarded(by mountGuard: MountGuard) -> DirectoryHandle {
    _ = guardian.storeIfNil(mountGuard)
    hasGuardian.store(true, ordering: .releasing)
    return self
  }

  /// Makes a call that may block for ever if the mount does not answer.
  ///
  /// - Throws: ETIMEDOUT if the mount does not answer; the error of `body`.
  package func guarded<Result>(
    _ body: @escaping @Sendable () throws(Errno) -> Result
  ) throws(Errno) -> Result {
    guard let mountGuard else { return try body() }
    return try mountGuard.perform { (_) throws(Errno) in try body() }
  }

  /// Opens a subdirectory without mounting anything there.
  package func openAutomount(_ name: NameView) throws(Errno) -> DirectoryHandle {
    let opened = try OwnedDescriptor.openPath(name, in: descriptor)
    guard try FileStatus.of(opened).kind == .directory else { throw .notDirectory }
    return DirectoryHandle(opened, isAutomount: true)
  }

  /// Opens a subdirectory, without following a symbolic link.
  package func open(_ name: NameView, for access: OwnedDescriptor.Access) throws(Errno) -> DirectoryHandle {
    DirectoryHandle(try OwnedDescriptor.open(name, in: descriptor, for: access))
  }

  /// The kernel's handle, and the mount through which the directory was opened.
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
