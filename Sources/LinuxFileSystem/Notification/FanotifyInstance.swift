internal import CLinux
import Glibc
package import SystemPackage

/// A fanotify group that reports entries by directory handle, name and file handle.
package struct FanotifyInstance: ~Copyable, Sendable {
  package let descriptor: OwnedDescriptor
  /// Whether the number of marks has no limit, and whole file systems can be marked.
  package let isPrivileged: Bool
  /// That of this process: the kernel says of each event whose it is.
  private let ownProcess = getpid()

  /// `fanotify_init(2)`: with privilege where the process has it and it is wanted.
  ///
  /// ENOSYS, EINVAL: the kernel has no fanotify, or is older than 5.17. EMFILE: too many groups of this user, or too
  /// many descriptors.
  package init(usingPrivilege wantsPrivilege: Bool) throws(Errno) {
    if wantsPrivilege, let number = try? retryingOnInterrupt({ clinux_fanotify_init(1) }) {
      descriptor = OwnedDescriptor(owning: number)
      isPrivileged = true
    } else {
      descriptor = OwnedDescriptor(owning: try retryingOnInterrupt { clinux_fanotify_init(0) })
      isPrivileged = false
    }
  }

  /// More than three handles, two of them with a name, can take (`MAX_HANDLE_SZ` is 128).
  private static let longestEvent = 2_048

  private enum Flags {
    static let add: UInt32 = 0x1
    static let remove: UInt32 = 0x2
    static let onlyDirectory: UInt32 = 0x8
    static let fileSystem: UInt32 = 0x100
    /// `FAN_MARK_IGNORE_SURV`.
    static let ignore: UInt32 = 0x440
  }

  /// `fanotify_mark(2)`: adds to what is told of the very directory that is open, whatever its path is by now.
  ///
  /// ENOSPC: too many marks. EXDEV, ENODEV, EOPNOTSUPP: the file system cannot be told of in this group.
  package borrowing func mark(
    _ directory: borrowing OwnedDescriptor, for mask: FanotifyMask
  ) throws(Errno) {
    try call(Flags.add | Flags.onlyDirectory, mask, directory)
  }

  /// `fanotify_mark(2)`: adds to what is told of the whole file system that a directory is on.
  package borrowing func markFileSystem(
    of directory: borrowing OwnedDescriptor, for mask: FanotifyMask
  ) throws(Errno) {
    try call(Flags.add | Flags.onlyDirectory | Flags.fileSystem, mask, directory)
  }

  /// `fanotify_mark(2)`: takes away from what is told of a directory.
  ///
  /// A mark that is gone already is no error.
  package borrowing func unmark(_ directory: borrowing OwnedDescriptor, for mask: FanotifyMask) {
    try? call(Flags.remove | Flags.onlyDirectory, mask, directory)
  }

  /// `fanotify_mark(2)`: has something not told of a directory and what is directly in it, although a mark of its file
  /// system asks for it.
  ///
  /// Whether it is: a kernel before 6.0 cannot, and goes on telling.
  package borrowing func ignore(_ mask: FanotifyMask, in directory: borrowing OwnedDescriptor) -> Bool {
    (try? call(Flags.add | Flags.onlyDirectory | Flags.ignore, mask, directory)) != nil
  }

  /// `fanotify_mark(2)`: ends that.
  package borrowing func stopIgnoring(_ mask: FanotifyMask, in directory: borrowing OwnedDescriptor) {
    try? call(Flags.remove | Flags.onlyDirectory | Flags.ignore, mask, directory)
  }

  private borrowing func call(
    _ flags: UInt32, _ mask: FanotifyMask, _ directory: borrowing OwnedDescriptor
  ) throws(Errno) {
    let (group, number) = (descriptor.number, directory.number)
    do {
      _ = try retryingOnInterrupt { clinux_fanotify_mark(group, flags, mask.rawValue, number, nil) }
    } catch {
      // A descriptor opened with O_PATH is not taken by itself; looking up its path costs three times as much.
      guard error == .badFileDescriptor else { throw error }
      _ = unsafe try ProcessPath.with(descriptor: number) { (path) throws(Errno) -> CInt in
        try retryingOnInterrupt { unsafe clinux_fanotify_mark(group, flags, mask.rawValue, AT_FDCWD, path) }
      }
    }
  }

  /// Reads what is there and calls `body` with each event, in the order of the queue.
  ///
  /// Returns whether there may be more. A read that leaves room for another event has seen the queue empty: what is
  /// there now came later. On a busy file system a queue may never be found empty by a read of its own.
  @discardableResult
  package borrowing func readEvents(
    into buffer: UnsafeMutableRawBufferPointer, _ body: (FanotifyEvent) -> Void
  ) throws(Errno) -> Bool {
    let count = try unsafe descriptor.readAvailable(into: buffer)
    let records = unsafe FanotifyRecords(UnsafeRawBufferPointer(rebasing: buffer[..<count]), ownProcess: ownProcess)
    unsafe records.forEach(body)
    return count + Self.longestEvent > buffer.count
  }
}
