internal import CTestSystem
internal import Glibc
package import SystemPackage

/// A FUSE file system with `a.txt` and `d/b.txt`, that answers or does not, as a test says.
///
/// Its program has taken the request by then, so that not even SIGKILL ends whoever waits for the answer.
@safe
package final class HangingMount: @unchecked Sendable {
  /// What it does not answer.
  package enum Operation: Int32, CaseIterable, Sendable {
    case lookup = 1, getattr, opendir, readdir, getxattr, setxattr, statfs, everything
  }

  package static let isPossible = unsafe geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0

  private let shared: UnsafeMutablePointer<ctest_fuse>
  private let process: pid_t
  package let path: String

  /// - Parameter owner: The user to whom it answers, if it does not answer to all.
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

  /// Answers nothing of the kind from now on.
  package func hang(_ operation: Operation) { unsafe shared.pointee.hanging = operation.rawValue }

  /// Answers what waits, and everything from now on.
  package func release() { unsafe shared.pointee.hanging = 0 }

  /// How many requests wait for an answer.
  package var waiting: Int { unsafe Int(shared.pointee.waiting) }

  /// From now on there is a file in `d` whose name is of 765 bytes, as NTFS can have: its path from the top.
  package func addFileWithLongName() -> String {
    unsafe shared.pointee.has_long_name = 1
    return "d/" + String(repeating: "n", count: Int(ctest_fuse_long_name))
  }

  /// From now on there is `new.txt`, too.
  package func addFile() { unsafe shared.pointee.has_more = 1 }
}

/// An automount that tells when somebody looks into it.
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

  /// Unmounts it: whoever walked through it afterwards would wait for ever.
  package func end() { _ = unsafe umount2(path, CInt(MNT_DETACH)) }

  /// Whether something was to be mounted.
  package var isTriggered: Bool {
    var entry = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLIN) != 0
  }
}
