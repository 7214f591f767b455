package import LinuxFileSystem
package import SystemPackage

/// A limit that keeps a source from marking another directory.
package struct ReachedLimit: Hashable, Sendable {
  package var limit: ResourceLimit
  /// What the system said.
  package var errno: Errno

  package init(_ limit: ResourceLimit, _ errno: Errno) {
    self.limit = limit
    self.errno = errno
  }

  /// What a source's refusal means; nothing where it is not for want of room.
  package init?(_ error: Errno, usesFanotify: Bool) {
    switch error {
    case .noSpace: self.init(usesFanotify ? .fanotifyMarks : .inotifyWatches, error)
    case .tooManyOpenFiles where ResourceLimit.areDescriptorsUsedUp: self.init(.processDescriptors, error)
    case .tooManyOpenFiles: self.init(usesFanotify ? .fanotifyGroups : .inotifyInstances, error)
    case .tooManyOpenFilesInSystem: self.init(.systemDescriptors, error)
    case .noMemory: self.init(.memory, error)
    default: return nil
    }
  }
}
