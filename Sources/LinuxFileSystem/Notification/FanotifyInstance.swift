internal import CLinux
import Glibc
package import SystemPackage

/// A fanotify group that reports entries by directory handle, name and file handle.
package struct FanotifyInstance: ~Copyable, Sendable {
  package let descriptor: OwnedDescriptor
  /// Whether the number of marks is unlimited, and file systems can be marked.
  package let isPrivileged: Bool
  /// The number of this process, which the kernel adds to its events.
  private let ownProcess = getpid()

  /// `fanotify_init(2)`, with privilege if it is wanted and available.
  ///
  /// - Throws: ENOSYS or EINVAL if the kernel has no fanotify or is older than 5.17; EMFILE if the user has too many
  ///   groups or the process too many descriptors.
  package init(usingPrivilege wantsPrivilege: Bool) throws(Errno) {
    if wantsPrivilege, let number = try? retryingOnInterrupt({ clinux_fanotify_init(1) }) {
      descriptor = OwnedDescriptor(owning: number)
      isPrivileged = true
    } else {
      descriptor = OwnedDescriptor(owning: try retryingOnInterrupt { clinux_fanotify_init(0) })
      isPrivileged = false
    }
  }

  /// More than the size of three handles, two of them with a name (`MAX_HANDLE_SZ` is 128).
  private static let longestEvent = 2_048

  private enum Flags {
    static let add: UInt32 = 0x1
    static let remove: UInt32 = 0x2
    static let onlyDirectory: UInt32 = 0x8
    static let fileSystem: UInt32 = 0x100
    /// `FAN_MARK_IGNORE_SURV`.
    static let ignore: UInt32 = 0x440
  }

  /// `fanotify_mark(2)`: adds events of an open directory, wherever it is now.
  ///
  /// - Throws: ENOSPC at the limit of marks; EXDEV, ENODEV or EOPNOTSUPP if this group cannot report the file system.
  package borrowing func mark(
    _ directory: borrowing OwnedDescriptor, for mask: FanotifyMask
  ) throws(Errno) {
    try call(Flags.add | Flags.onlyDirectory, mask, directory)
  }

  /// `fanotify_mark(2)`: adds events of the whole file system of a directory.
  package borrowing func markFileSystem(
    of directory: borrowing OwnedDescriptor, for mask: FanotifyMask
  ) throws(Errno) {
    try call(Flags.add | Flags.onlyDirectory | Flags.fileSystem, mask, directory)
  }

  /// `fanotify_mark(2)`: removes events of a directory.
  ///
  /// A missing mark is no error.
  package borrowing func unmark(_ directory: borrowing OwnedDescriptor, for mask: FanotifyMask) {
    try? call(Flags.remove | Flags.onlyDirectory, mask, directory)
  }

  /// `fanotify_mark(2)`: ignores events of a directory and its entries that the mark of the file system includes.
  ///
  /// Returns whether the kernel ignores them; before Linux 6.0 it cannot.
  package borrowing func ignore(_ mask: FanotifyMask, in directory: borrowing OwnedDescriptor) -> Bool {
    (try? call(Flags.add | Flags.onlyDirectory | Flags.ignore, mask, directory)) != nil
  }

  /// `fanotify_mark(2)`: ends ignoring.
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
      // The kernel does not accept a descriptor with O_PATH; its path costs three times as much.
      guard error == .badFileDescriptor else { throw error }
      _ = unsafe try ProcessPath.with(descriptor: number) { (path) throws(Errno) -> CInt in
        try retryingOnInterrupt { unsafe clinux_fanotify_mark(group, flags, mask.rawValue, AT_FDCWD, path) }
      }
    }
  }

  /// Reads the queued events, and calls `body` with each in order.
  ///
  /// Returns whether more events may wait.
  ///
  /// A read that leaves room for another event has seen the queue empty, and later events came afterwards. On a busy
  /// file system no separate read may ever find the queue empty.
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
