import Dispatch
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// The wait of an observer that was started while its directory was away: it looks for the directory once a second.
final class RootWait: Sendable {
  private struct State: Sendable {
    /// An empty directory at the path, on which the file system of the observed one is not mounted.
    var mountPoint: FileKey?
    var isEnded = false
  }

  /// Why the directory cannot be observed yet.
  let reason: FileSystemObserverError
  private let path: FilePath
  private let files: GuardedFileSystem
  private let queue = DispatchQueue(label: "FileSystemObservation.root-wait")
  private let state = Mutex(State())

  init(_ reason: FileSystemObserverError, at path: FilePath, _ files: GuardedFileSystem) {
    (self.reason, self.path, self.files) = (reason, path, files)
    noteMountPoint()
  }

  /// Notes what is at the path, with which observation could not begin.
  func noteMountPoint() {
    let mountPoint = try? emptyDirectory()
    state.withLock { $0.mountPoint = mountPoint }
  }

  deinit { files.end() }

  /// Calls a function once a second, as long as that returns `true`, or until the end.
  func begin(_ look: @escaping @Sendable () -> Bool) {
    queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
      guard let self, !state.withLock({ $0.isEnded }), look() else { return }
      begin(look)
    }
  }

  func end() { state.withLock { $0.isEnded = true } }

  /// Whether what is at the path is what was there before: nothing, or an empty directory.
  var isStillAway: Bool {
    do throws(Errno) {
      guard let found = try emptyDirectory() else { return false }
      return found == state.withLock { $0.mountPoint }
    } catch {
      return error.meansAway
    }
  }

  /// The directory at the path; `nil` if something is in it.
  private func emptyDirectory() throws(Errno) -> FileKey? {
    let found = try files.openRoot(at: path)
    let key = FileKey(try files.status(of: found))
    return files.isEmpty(found) ? key : nil
  }

  /// What listeners are told meanwhile.
  var diagnostic: FileSystemObserver.Diagnostic {
    FileSystemObserver.Diagnostic(code: .rootLost, sentence: sentence, path: path, errno: reason.errno)
  }

  /// Why nothing can be done to an item meanwhile.
  var error: FileSystemObserverError {
    FileSystemObserverError(code: .rootLost, sentence: sentence, path: path, errno: reason.errno)
  }

  private var sentence: Message {
    switch reason.errno {
    case .noSuchFileOrDirectory: "there is no folder at \(path) yet; observation begins when it is there"
    case nil: "\(path) is empty, because its file system is not mounted; observation begins when it is"
    default: "the file system of \(path) does not answer; observation begins when it does"
    }
  }
}

extension GuardedFileSystem {
  /// Whether a directory has no entries; a file system that may not answer is not asked.
  func isEmpty(_ directory: DirectoryHandle) -> Bool {
    guard directory.mountGuard == nil, let listed = try? reopenForListing(directory) else { return false }
    return (try? listed.isEmpty) ?? false
  }
}

extension Errno {
  /// Whether a directory that cannot be opened may be opened later, when its file system is mounted or answers.
  var meansAway: Bool {
    self == .noSuchFileOrDirectory || self == .timedOut || self == .socketNotConnected || self == .staleNFSFileHandle
  }
}
