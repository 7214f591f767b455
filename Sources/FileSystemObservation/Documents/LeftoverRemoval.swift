internal import FileIdentity
internal import Glibc
internal import LinuxFileSystem
package import SystemPackage

/// Removes the hidden items that operations of killed processes have left behind.
///
/// An operation that runs holds the lock of what it makes, and changes what it removes: so an item counts as left over
/// if nobody has its lock, and it has not been changed for some time.
package struct LeftoverRemoval {
  private struct Candidate {
    let name: FileName
    let folder: DirectoryHandle
    let path: FilePath
    let use: TemporaryName.Use
  }

  /// In nanoseconds.
  private let age: Int64
  private var found = FileSystemObserver.Leftovers()

  private init(age: Int64) {
    self.age = age
  }

  /// Removes what is left below some folders.
  ///
  /// - Parameters:
  ///   - directories: The folders. Symbolic links in them are not followed.
  ///   - age: For how long an item must not have been changed, in nanoseconds.
  package static func run(below directories: [FilePath], unchangedFor age: Int64) -> FileSystemObserver.Leftovers {
    var removal = LeftoverRemoval(age: age)
    for directory in directories { removal.run(below: directory) }
    return removal.found
  }

  private mutating func run(below directory: FilePath) {
    var candidates: [Candidate] = []
    var problems: [FileSystemObserverError] = []
    let files = GuardedFileSystem.patient(FileTag())
    defer { files.end() }
    do throws(FileSystemObserverError) {
      try TreeWalker.walk(directory, in: files, includesLinks: true) { entry in
        guard let use = TemporaryName.use(of: entry.name) else { return }
        candidates.append(Candidate(name: FileName(entry.name), folder: entry.directory, path: entry.path, use: use))
      } fail: {
        problems.append(FileSystemObserverError(.list, $0, $1))
      }
    } catch {
      problems.append(error)
    }
    found.problems += problems
    for candidate in candidates { remove(candidate) }
  }

  private mutating func remove(_ candidate: Candidate) {
    do throws(FailedItem) {
      guard try isLeft(candidate) else { return }
      if candidate.use == .save { return found.kept.append(candidate.path) }
      try TreeRemoval.remove(candidate.name, from: candidate.folder, isOwn: true)
      found.removed.append(candidate.path)
    } catch {
      // What was in a folder that is removed by now, or what its operation has removed itself.
      if error.errno == .noSuchFileOrDirectory, error.path.isEmpty { return }
      let path = error.path.isEmpty ? candidate.path : candidate.path.appending(bytes: error.path.bytes)
      found.problems.append(FileSystemObserverError(.remove, path, error.errno))
    }
  }

  /// Whether an item is this user's, is not used, and was not changed for some time.
  private func isLeft(_ candidate: Candidate) throws(FailedItem) -> Bool {
    do throws(Errno) {
      return try candidate.name.withView { (name) throws(Errno) in
        let status = try FileStatus.of(name, in: candidate.folder.descriptor)
        guard status.owner == geteuid(), WallClock.interval(from: status.changed, to: WallClock.nanoseconds) >= age
        else { return false }
        guard status.kind == .file || status.kind == .directory else { return true }
        return try !OwnedDescriptor.open(name, in: candidate.folder.descriptor, for: .read).isLocked()
      }
    } catch {
      throw FailedItem(path: FilePath(), errno: error)
    }
  }
}

extension FileSystemObserverError {
  fileprivate enum Attempt: String {
    case list = "be looked through"
    case remove = "be removed"
  }

  fileprivate init(_ attempt: Attempt, _ path: FilePath, _ errno: Errno) {
    self.init(
      code: .fileOperationFailed,
      sentence: "\(path) could not \(attempt.rawValue) (\(errno)): check the permissions of it and of its folder",
      path: path, errno: errno)
  }
}
