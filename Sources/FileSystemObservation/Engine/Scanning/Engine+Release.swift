import LinuxFileSystem
import SystemPackage

// Releasing a file system, so that it can be unmounted.

extension Engine where Files == GuardedFileSystem {
  /// Closes everything that is open on a mount.
  ///
  /// If the observed directory is on the mount, it counts as lost, and is looked for after the unmount.
  ///
  /// - Returns: Whether something is mounted at the path.
  func release(mountedAt path: FilePath) -> Bool {
    guard let mount = MountIdentity(at: path) else { return false }
    handles.removeAll()
    guard !isRootLost, mount.contains(root.descriptor), let elsewhere = try? files.openRoot(at: "/") else {
      return true
    }
    publish()
    isRootLost = true
    releaseAll()
    releasedMount = mount
    root = elsewhere
    emit(.rootLost(rootLossError))
    return true
  }

  /// Whether the observed directory is on a released mount that is still there.
  var awaitsUnmount: Bool {
    guard let mount = releasedMount else { return false }
    if mount.isThere { return true }
    releasedMount = nil
    return false
  }
}
