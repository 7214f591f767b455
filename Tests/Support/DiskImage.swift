internal import FileTestSupport
internal import LinuxFileSystem
package import SystemPackage

/// A small file system in a file, which can be unmounted, and mounted again elsewhere.
package final class DiskImage: Sendable {
  private let folder: ScratchFolder
  private let image: String
  private let mounted: Mutex<FilePath>
  /// Where it is mounted.
  package var path: FilePath { mounted.withLock { $0 } }

  /// Makes a file system and mounts it.
  ///
  /// - Parameters:
  ///   - type: Its type, as in `mkfs.ext4`.
  ///   - size: Its size, for truncate(1).
  ///   - path: Where to mount it, if not in a folder of its own.
  ///   - options: Further options of `mkfs`.
  package init(
    _ type: String = "ext4", size: String = "8M", at path: FilePath? = nil, options: [String] = []
  ) throws {
    folder = try ScratchFolder()
    image = folder.path("image").string
    mounted = Mutex(path ?? folder.path("mounted"))
    try Command.run("truncate", "-s", size, image)
    try Command.run(arguments: ["mkfs.\(type)", "-q", type == "ext4" ? "-F" : "-f"] + options + [image])
    try mount()
  }

  /// Mounts it, after it was unmounted.
  ///
  /// - Parameter path: Where, if not at the place where it was.
  package func mount(at path: FilePath? = nil) throws {
    if let path { mounted.withLock { $0 = path } }
    try Folder(self.path.string).makeDirectoryIfMissing()
    try Command.run("mount", "-o", "loop", image, self.path.string)
  }

  /// Unmounts it; a process that another test starts may have a directory open for a moment.
  package func unmount() throws {
    for _ in 0..<200 {
      if (try? Command.run("umount", path.string)) != nil { return }
      (Moment.now + .milliseconds(20)).sleep()
    }
    try Command.run("umount", path.string)
  }

  deinit {
    _ = try? Command.run("umount", "-l", path.string)
  }
}
