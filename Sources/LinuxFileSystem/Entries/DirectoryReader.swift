internal import CLinux
import Glibc
package import SystemPackage

/// Reads directories with `getdents64(2)` through one reused buffer.
///
/// It is not thread-safe: each scanning thread has its own.
@safe
package final class DirectoryReader {
  private static let capacity = 64 * 1024
  private let buffer: UnsafeMutableRawPointer
  /// The number of bytes of records in the buffer, and the offset of the next record.
  private var (count, offset) = (0, 0)

  package init() {
    unsafe buffer = .allocate(byteCount: Self.capacity, alignment: 8)
  }

  deinit {
    unsafe buffer.deallocate()
  }

  /// Calls `body` with each entry except `.` and `..`: its name, and the listed kind and inode number.
  ///
  /// The name is valid only during the call.
  package func forEachEntry(
    of directory: borrowing OwnedDescriptor, _ body: (NameView, ListedKind, UInt64) -> Void
  ) throws(Errno) {
    try rewind(directory)
    var isMore = true
    while isMore {
      isMore = try visitMore(of: directory) { name, kind, inode in
        body(name, kind, inode)
        return true
      }
    }
  }

  /// Starts with the first entry of a directory.
  ///
  /// btrfs lists the entries at the time of opening or rewinding, which may be before the mark.
  func rewind(_ directory: borrowing OwnedDescriptor) throws(Errno) {
    let number = directory.number
    (count, offset) = (0, 0)
    _ = try retryingOnInterrupt { lseek(number, 0, SEEK_SET) }
  }

  /// Calls `body` with the next entries, until it returns `false` or a system call is needed.
  ///
  /// Names are valid until the next call. Returns whether there may be more entries.
  func visitMore(
    of directory: borrowing OwnedDescriptor, _ body: (NameView, ListedKind, UInt64) -> Bool
  ) throws(Errno) -> Bool {
    if offset >= count {
      let number = directory.number
      (count, offset) = (0, 0)
      count = try retryingOnInterrupt { unsafe clinux_getdents64(number, buffer, Self.capacity) }
    }
    offset = unsafe Self.visitEntries(in: UnsafeRawBufferPointer(start: buffer, count: count), from: offset, body)
    return count > 0
  }

  /// Walks the records of `struct linux_dirent64`: inode (8), offset (8), record length (2), type (1), name with NUL.
  ///
  /// Returns the offset of the next record.
  private static func visitEntries(
    in records: UnsafeRawBufferPointer, from start: Int, _ body: (NameView, ListedKind, UInt64) -> Bool
  ) -> Int {
    let headerSize = 19
    var offset = start
    while offset + headerSize < records.count {
      let length = unsafe Int(records.loadUnaligned(fromByteOffset: offset + 16, as: UInt16.self))
      guard length > headerSize, offset + length <= records.count else { break }
      let record = unsafe UnsafeRawBufferPointer(rebasing: records[offset..<offset + length])
      offset += length
      guard let name = unsafe name(in: record, after: headerSize), !isDots(name) else { continue }
      let kind = unsafe ListedKind(record.load(fromByteOffset: 18, as: UInt8.self))
      guard unsafe body(name, kind, record.loadUnaligned(fromByteOffset: 0, as: UInt64.self)) else { return offset }
    }
    return records.count
  }

  private static func name(in record: UnsafeRawBufferPointer, after header: Int) -> NameView? {
    guard let base = record.baseAddress else { return nil }
    let start = unsafe (base + header).assumingMemoryBound(to: UInt8.self)
    let count = unsafe strnlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self), record.count - header)
    // Only a broken file system has a name without its NUL, or an empty one.
    guard count > 0, count < record.count - header else { return nil }
    return unsafe NameView(start: start, count: count)
  }

  private static func isDots(_ name: NameView) -> Bool {
    let dot = UInt8(ascii: ".")
    let bytes = unsafe name.bytes
    return unsafe bytes[0] == dot && (bytes.count == 1 || (bytes.count == 2 && bytes[1] == dot))
  }
}
