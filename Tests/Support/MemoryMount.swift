internal import CTestSystem
internal import FileTestSupport
internal import Glibc
package import SystemPackage

/// A file system in memory that only a test uses.
package final class MemoryMount: Sendable {
  package static let isPossible = geteuid() == 0
  private let folder: ScratchFolder
  /// Where it is mounted.
  package let path: FilePath

  /// - Parameter size: The space on it, in KiB.
  package init(size: Int = 4096) throws {
    folder = try ScratchFolder()
    path = folder.path("mounted")
    try Folder(path.string).makeDirectory()
    try Command.run("mount", "-t", "tmpfs", "-o", "size=\(size)k", "none", path.string)
  }

  /// Forbids or permits writing.
  package func setReadOnly(_ isReadOnly: Bool) throws {
    try Command.run("mount", "-o", "remount,\(isReadOnly ? "ro" : "rw")", path.string)
  }

  deinit {
    _ = unsafe ctest_detach_mount(path.string)
  }
}
