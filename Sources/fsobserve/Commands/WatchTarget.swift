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
    let answer = Answer { kind() }
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
///
/// The thread is not one of a queue, which would keep three files open.
private final class Answer: Sendable {
  private let kind = Mutex<WatchTarget.Kind?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)
  private let ask: @Sendable () -> WatchTarget.Kind

  init(_ ask: @escaping @Sendable () -> WatchTarget.Kind) {
    self.ask = ask
    let retained = unsafe Unmanaged.passRetained(self)
    var thread = pthread_t()
    let code = unsafe pthread_create(&thread, nil, answerOnThread, retained.toOpaque())
    if code == 0 {
      pthread_detach(thread)
    } else {
      unsafe retained.release()
      give()
    }
  }

  fileprivate func give() {
    let kind = ask()
    self.kind.withLock { $0 = kind }
    semaphore.signal()
  }

  func take(within time: DispatchTimeInterval) -> WatchTarget.Kind? {
    _ = semaphore.wait(timeout: .now() + time)
    return kind.withLock { $0 }
  }
}

private func answerOnThread(_ answer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let answer = unsafe answer else { return nil }
  unsafe Unmanaged<Answer>.fromOpaque(answer).takeRetainedValue().give()
  return nil
}
