import LinuxFileSystem
import SystemPackage

extension FileSystemObserverError {
  /// What was to be done with the UUID of an item.
  enum IdentityTask: String, CustomStringConvertible {
    case read, set, removed

    var description: String { rawValue }
  }

  /// The error of a system call on an item whose UUID was to be read, set or removed.
  init(_ task: IdentityTask, ofItemAt path: FilePath, _ errno: Errno) {
    self.init(
      code: .fileOperationFailed, sentence: "the UUID of \(path) could not be \(task): \(Self.reason(errno))",
      path: path, errno: errno)
  }

  private static func reason(_ errno: Errno) -> Message {
    switch errno {
    case .noSuchFileOrDirectory, .notDirectory:
      "there is nothing at this path, or its folder is missing (\(errno)); check the path"
    case .permissionDenied, .notPermitted:
      "the permissions of the item or of its folder do not allow it (\(errno)); change them, or do it as their owner"
    case .readOnlyFileSystem: "its file system is read-only (\(errno)); the UUID stays the one of its inode"
    case .notSupported: "its file system keeps no tags (\(errno)); the UUID stays the one of its inode"
    case .noSpace, .diskQuotaExceeded: "there is no space for its tag (\(errno)); make space, and try again"
    default: "\(errno); try again; if it fails again, check the file system and the disk"
    }
  }
}
