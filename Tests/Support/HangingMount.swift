internal import CTestSystem
internal import Glibc
package import SystemPackage

/// A FUSE file system with `a.txt` and `d/b.txt` that stops answering when a test says so.
///
/// Its program has then taken the request, so that not even SIGKILL ends a process that waits for the answer.
@safe
package final class HangingMount: @unchecked Sendable {
  /// Requests that it does not answer.
  package enum Operation: Int32, CaseIterable, Sendable {
    case lookup = 1, getattr, opendir, readdir, getxattr, setxattr, statfs, everything
  }

  package static let isPossible = unsafe geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0

  private let shared: UnsafeMutablePointer<ctest_fuse>
  private let process: pid_t
  package let path: String

  /// - Parameter owner: The only user that it answers, if not all.
  package init(at path: String, hanging operation: Operation? = nil, onlyFor owner: UInt32? = nil) throws(Errno) {
    guard let shared = unsafe ctest_fuse_make() else { throw Errno(rawValue: errno) }
    unsafe self.shared = shared
    self.path = path
    unsafe shared.pointee.hanging = operation?.rawValue ?? 0
    process = unsafe ctest_fuse_mount(shared, path, owner ?? 0, owner == nil ? 1 : 0)
    if process < 0 { throw Errno(rawValue: errno) }
  }

  deinit {
    unsafe ctest_fuse_unmount(shared, process, path)
    unsafe munmap(shared, MemoryLayout<ctest_fuse>.size)
  }

  /// Stops answering requests of a kind.
  package func hang(_ operation: Operation) { unsafe shared.pointee.hanging = operation.rawValue }

  /// Answers waiting requests, and all further ones.
  package func release() { unsafe shared.pointee.hanging = 0 }

  /// The number of requests that wait for an answer.
  package var waiting: Int { unsafe Int(shared.pointee.waiting) }

  /// Adds a file to `d` whose name has 765 bytes, as NTFS permits; its path from the top.
  package func addFileWithLongName() -> String {
    unsafe shared.pointee.has_long_name = 1
    return "d/" + String(repeating: "n", count: Int(ctest_fuse_long_name))
  }

  /// Adds `new.txt`.
  package func addFile() { unsafe shared.pointee.has_more = 1 }
}

/// An automount that records when something opens it.
package final class AutomountPoint: Sendable {
  private let pipe: CInt
  package let path: String

  package init(at path: String) throws(Errno) {
    self.path = path
    pipe = unsafe ctest_autofs_mount(path)
    if pipe < 0 { throw Errno(rawValue: errno) }
  }

  deinit {
    _ = close(pipe)
  }

  /// Unmounts it; otherwise later walks through it would wait for ever.
  package func end() { _ = unsafe ctest_detach_mount(path) }

  /// Whether something was to be mounted.
  package var isTriggered: Bool {
    var entry = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLIN) != 0
  }
}
