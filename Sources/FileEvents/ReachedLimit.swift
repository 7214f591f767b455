package import LinuxFileSystem
package import SystemPackage

/// A limit that prevents a source from marking another directory.
package struct ReachedLimit: Hashable, Sendable {
  package var limit: ResourceLimit
  /// The error of the system call.
  package var errno: Errno

  package init(_ limit: ResourceLimit, _ errno: Errno) {
    self.limit = limit
    self.errno = errno
  }

  /// The limit behind an error of a source; nothing if the error has another reason.
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
