internal import Glibc
internal import LinuxFileSystem
internal import SystemPackage

/// Counts changes of attributes in some folders, including changes of tags.
package final class AttributeCounter: Sendable {
  private let inotify: InotifyInstance

  /// - Parameter folders: Moved folders stay counted; the contents of their subfolders are not counted.
  package init(_ folders: [Folder]) throws {
    inotify = try InotifyInstance()
    for folder in folders {
      let directory = try OwnedDescriptor.openDirectory(at: FilePath(folder.path), for: .list)
      _ = try inotify.watch(directory, for: .attribute)
    }
  }

  /// The number of changes since the last call.
  package func count() throws -> Int {
    var count = 0
    var mayBeMore = true
    while mayBeMore {
      mayBeMore = try unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { buffer in
        unsafe try inotify.readEvents(into: buffer) { event in
          unsafe count += event.mask.contains(.attribute) ? 1 : 0
        }
      }
    }
    return count
  }
}
