import Dispatch
import FileSystemObservation
import Glibc
import Synchronization
import SystemPackage

/// A folder or file to watch.
struct WatchTarget: Sendable {
  /// What is at the path.
  enum Kind: Sendable {
    case missing
    /// A regular file at a path, in which a symbolic link is resolved.
    case file(FilePath)
    /// A folder, or what cannot be watched: the observer says why.
    case other
  }

  /// How long the file system may take to answer.
  private static let patience = DispatchTimeInterval.seconds(1)

  /// Its absolute path.
  let path: FilePath

  /// What is at the path now; `other` if the file system does not answer, which the observer reports.
  func look() -> Kind {
    let answer = Answer()
    DispatchQueue.global().async { answer.give(kind()) }
    return answer.take(within: Self.patience) ?? .other
  }

  private func kind() -> Kind {
    switch fileType() {
    case nil: .missing
    case S_IFREG: (fileType(followingLink: false) == S_IFLNK ? path.resolved : path).map { .file($0) } ?? .other
    default: .other
    }
  }

  private func fileType(followingLink: Bool = true) -> mode_t? {
    var status = Glibc.stat()
    let result = unsafe path.withPlatformString { path in
      unsafe fstatat(AT_FDCWD, path, &status, followingLink ? 0 : AT_SYMLINK_NOFOLLOW)
    }
    return result == 0 ? status.st_mode & S_IFMT : nil
  }
}

/// The answer of a thread that may be stuck in a call.
private final class Answer: Sendable {
  private let kind = Mutex<WatchTarget.Kind?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  func give(_ kind: WatchTarget.Kind) {
    self.kind.withLock { $0 = kind }
    semaphore.signal()
  }

  func take(within time: DispatchTimeInterval) -> WatchTarget.Kind? {
    _ = semaphore.wait(timeout: .now() + time)
    return kind.withLock { $0 }
  }
}
