internal import FileTestSupport
internal import Glibc
package import SystemPackage

/// A small file system in a file, which can be unmounted, and mounted again elsewhere.
package final class DiskImage: Sendable {
  private let folder: ScratchFolder
  private let image: String
  /// Where it is mounted.
  package let path: FilePath

  /// Makes a file system and mounts it.
  ///
  /// - Parameters:
  ///   - type: Its type, as in `mkfs.ext4`.
  ///   - size: Its size, for truncate(1).
  ///   - path: Where to mount it, if not in a folder of its own.
  package init(_ type: String = "ext4", size: String = "8M", at path: FilePath? = nil) throws {
    folder = try ScratchFolder()
    image = folder.path("image").string
    self.path = path ?? folder.path("mounted")
    try Folder(self.path.string).makeDirectoryIfMissing()
    try Command.run("truncate", "-s", size, image)
    try Command.run("mkfs.\(type)", "-q", type == "ext4" ? "-F" : "-f", image)
    try mount()
  }

  /// Mounts it, after it was unmounted.
  package func mount() throws { try Command.run("mount", "-o", "loop", image, path.string) }

  package func unmount() throws { try Command.run("umount", path.string) }

  deinit {
    _ = try? Command.run("umount", "-l", path.string)
  }
}
