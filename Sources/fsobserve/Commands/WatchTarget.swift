import FileSystemObservation
import Glibc
import SystemPackage

/// A folder or file to watch.
struct WatchTarget: Sendable {
  /// Its absolute path.
  let path: FilePath

  /// Whether the path exists.
  var exists: Bool { kind() != nil }

  /// The file to watch, with a symbolic link resolved; `nil` if the target is no regular file.
  var file: FilePath? {
    guard kind() == S_IFREG else { return nil }
    return kind(followingLink: false) == S_IFLNK ? path.resolved : path
  }

  private func kind(followingLink: Bool = true) -> mode_t? {
    var status = Glibc.stat()
    let result = unsafe path.withPlatformString { path in
      unsafe fstatat(AT_FDCWD, path, &status, followingLink ? 0 : AT_SYMLINK_NOFOLLOW)
    }
    return result == 0 ? status.st_mode & S_IFMT : nil
  }
}
