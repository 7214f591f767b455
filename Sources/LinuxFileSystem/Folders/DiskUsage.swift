import Glibc
internal import SystemPackage

/// The disk space of items.
package enum DiskUsage {
  /// The bytes of a folder and everything below it, like du(1), but with each name of a hard link.
  ///
  /// - Parameter folder: The folder, open for listing.
  package static func bytes(of folder: DirectoryHandle) throws(FailedItem) -> Int64 {
    var walk = try FolderWalk(folder)
    var sum = usage(of: FileName("."), in: folder)
    while let stop = try walk.next() {
      switch stop.visit {
      case .item, .enters: sum += usage(of: stop.name, in: stop.folder)
      case .leaves, .mountPoint: break
      }
    }
    return sum
  }

  /// `fstatat(2)`; 0 for an item that is gone.
  private static func usage(of name: FileName, in folder: DirectoryHandle) -> Int64 {
    var status = stat()
    let parent = folder.descriptor.number
    let result = name.withView { unsafe fstatat(parent, $0.cString, &status, AT_SYMLINK_NOFOLLOW) }
    return result == 0 ? Int64(status.st_blocks) * 512 : 0
  }
}
