internal import CTestSystem
internal import Glibc
import LinuxFileSystem
import Synchronization
package import SystemPackage

// Reading and writing files.

/// A file that is open for writing until `close()` or the end of its last reference.
package final class OpenFile: Sendable {
  private let descriptor: CInt
  private let isClosed = Atomic(false)

  init(_ descriptor: CInt) {
    self.descriptor = descriptor
  }

  deinit {
    close()
  }

  /// Closes the file, if it is still open.
  package func close() {
    if isClosed.exchange(true, ordering: .relaxed) { return }
    _ = Glibc.close(descriptor)
  }

  /// Writes at the end of the last write.
  package func write(_ bytes: [UInt8]) throws(Errno) {
    var written = 0
    while written < bytes.count {
      written += try check(
        unsafe bytes[written...].withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) })
    }
  }

  package func write(_ text: String) throws(Errno) { try write(Array(text.utf8)) }

  /// Makes the file `size` bytes long by writing: appends, or rewrites its start and cuts off the rest.
  ///
  /// If much is missing, only the end is written, after a hole.
  package func writeUntil(size: Int) throws(Errno) {
    let end = Int(try check(lseek(descriptor, 0, Int32(SEEK_END))))
    if size > end {
      let written = min(size - end, 4096)
      try check(lseek(descriptor, size - written, Int32(SEEK_SET)))
      return try write(Bytes.pattern(written))
    }
    if size < end { try check(ftruncate(descriptor, size)) }
    try check(lseek(descriptor, 0, Int32(SEEK_SET)))
    try write(Bytes.pattern(min(size, 512)))
    try check(lseek(descriptor, 0, Int32(SEEK_END)))
  }

  /// Names a file from `openUnnamed`.
  package func link(to path: String) throws(Errno) {
    try check(unsafe ctest_link_unnamed(descriptor, path))
  }

  package func sync() throws(Errno) { try check(fsync(descriptor)) }
}

/// Content to write.
package enum Bytes {
  package static func pattern(_ count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      for index in 0..<count { unsafe buffer[index] = UInt8(truncatingIfNeeded: index &* 31) }
      initialized = count
    }
  }
}

extension Folder {
  /// How to open a file.
  package enum OpenMode: Sendable {
    /// A new file; fails if the file exists.
    case create
    /// Overwrites the file from its start, and keeps the rest.
    case update
    /// Truncates the file.
    case truncate
    /// Creates the file if it is missing, and truncates it if not.
    case replace
    case append

    fileprivate var flags: CInt {
      switch self {
      case .create: O_RDWR | O_CREAT | O_EXCL
      case .update: O_RDWR
      case .truncate: O_RDWR | O_TRUNC
      case .replace: O_RDWR | O_CREAT | O_TRUNC
      case .append: O_WRONLY | O_APPEND
      }
    }
  }

  package func open(_ name: String, _ mode: OpenMode) throws(Errno) -> OpenFile {
    OpenFile(try check(unsafe ctest_open(self[name], mode.flags, 0o644)))
  }

  /// `open(2)` with `O_TMPFILE`.
  package func openUnnamed(in name: String = ".") throws(Errno) -> OpenFile {
    OpenFile(try check(unsafe ctest_open_unnamed(self[name])))
  }

  /// Writes a file, after creating or truncating it, and closes it.
  package func write(_ name: String, _ text: String = "content\n") throws(Errno) {
    try open(name, .replace).write(text)
  }

  package func append(_ name: String, _ text: String = "more\n") throws(Errno) {
    try open(name, .append).write(text)
  }

  package func read(_ name: String) throws(Errno) -> [UInt8] {
    let descriptor = try check(unsafe ctest_open(self[name], O_RDONLY, 0))
    defer { _ = Glibc.close(descriptor) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = try check(
        unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) })
      if count == 0 { return content }
      content.append(contentsOf: buffer[..<count])
    }
  }
}
