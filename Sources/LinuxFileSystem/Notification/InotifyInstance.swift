internal import CLinux
package import SystemPackage

/// An inotify instance.
package struct InotifyInstance: ~Copyable, Sendable {
  package let descriptor: OwnedDescriptor
  /// More than the size of the longest name, which on a FUSE file system may be as long as a path.
  private static let longestEvent = 4_352

  /// `inotify_init1(2)`.
  ///
  /// - Throws: EMFILE if the user has too many instances or the process too many descriptors.
  package init() throws(Errno) {
    descriptor = OwnedDescriptor(owning: try retryingOnInterrupt { clinux_inotify_init() })
  }

  /// `inotify_add_watch(2)` of an open directory, wherever it is now.
  ///
  /// A watched directory keeps its number, and its mask is extended. The mask is never replaced: the kernel clears it
  /// first, and loses events meanwhile (`inotify_update_existing_watch`).
  ///
  /// - Throws: ENOSPC at the limit of watches.
  package borrowing func watch(
    _ directory: borrowing OwnedDescriptor, for mask: InotifyMask
  ) throws(Errno) -> WatchNumber {
    let number = descriptor.number
    let watch = unsafe try ProcessPath.with(descriptor: directory.number) { (path) throws(Errno) -> CInt in
      try retryingOnInterrupt { unsafe clinux_inotify_add_watch(number, path, mask.union(.add).rawValue) }
    }
    return WatchNumber(rawValue: watch)
  }

  /// `inotify_rm_watch(2)`.
  ///
  /// A missing watch is no error.
  package borrowing func removeWatch(_ watch: WatchNumber) {
    let number = descriptor.number
    _ = try? retryingOnInterrupt { clinux_inotify_rm_watch(number, watch.rawValue) }
  }

  /// Reads the queued events, and calls `body` with each in order.
  ///
  /// Returns whether more events may wait.
  ///
  /// A read that leaves room for another event has seen the queue empty, and later events came afterwards. On a busy
  /// file system no separate read may ever find the queue empty.
  @discardableResult
  package borrowing func readEvents(
    into buffer: UnsafeMutableRawBufferPointer, _ body: (InotifyEvent) -> Void
  ) throws(Errno) -> Bool {
    let count = try unsafe descriptor.readAvailable(into: buffer)
    unsafe Self.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), body)
    return count + Self.longestEvent > buffer.count
  }

  /// Walks the records of `struct inotify_event`: watch (4), mask (4), cookie (4), length (4), name padded with NULs.
  static func parse(_ records: UnsafeRawBufferPointer, _ body: (InotifyEvent) -> Void) {
    let headerSize = 16
    var offset = 0
    while offset + headerSize <= records.count {
      let length = unsafe Int(records.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
      guard offset + headerSize + length <= records.count else { return }
      let start = offset + headerSize
      let padded = unsafe UnsafeRawBufferPointer(rebasing: records[start..<start + length])
      unsafe body(
        InotifyEvent(
          watch: WatchNumber(rawValue: records.loadUnaligned(fromByteOffset: offset, as: Int32.self)),
          mask: InotifyMask(rawValue: records.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)),
          cookie: records.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self),
          name: name(in: padded)))
      offset = start + length
    }
  }

  private static func name(in padded: UnsafeRawBufferPointer) -> UnsafeBufferPointer<UInt8> {
    let bytes = unsafe padded.bindMemory(to: UInt8.self)
    let end = unsafe bytes.firstIndex(of: 0) ?? bytes.count
    return unsafe UnsafeBufferPointer(rebasing: bytes[..<end])
  }
}
