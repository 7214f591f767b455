import LinuxFileSystem
import SystemPackage

/// What a copied folder had below it when it was copied.
struct CopiedFolder: Sendable {
  private let folder: DirectoryHandle
  private var originals: [FilePath: FileStatus] = [:]

  init(_ folder: DirectoryHandle) {
    self.folder = folder
  }

  /// Notes an item that is being copied.
  mutating func note(_ status: FileStatus, at path: FilePath) { originals[path] = status }

  /// Fails with EBUSY if anything in the folder has changed since it was copied; the folder may have another name now.
  func requireUnchanged(_ task: DocumentTask) throws(FileSystemObserverError) {
    var count = 0
    var walk = try task.walking { () throws(FailedItem) in try FolderWalk(folder) }
    while let stop = try walk.nextDocument(task) {
      guard let status = stop.status else { continue }
      count += 1
      guard let former = originals[stop.path], status.isUnchanged(since: former) else {
        throw task.failure(of: .checkItem, .resourceBusy, at: stop.path)
      }
    }
    guard count == originals.count else { throw task.failure(of: .checkItem, .resourceBusy) }
  }
}

extension FolderWalk.Stop {
  fileprivate var status: FileStatus? {
    switch visit {
    case .item(let status), .enters(let status, _), .mountPoint(let status): status
    case .leaves: nil
    }
  }
}
