internal import CLinux
import Glibc
package import SystemPackage

/// Reads small files, such as those in `/proc` and `/sys`.
package enum SmallFile {
  private static let limit = 16 * 1024 * 1024

  /// The text of a file; nothing if it cannot be read.
  package static func text(of path: FilePath) -> String? {
    bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a file; nothing if it cannot be read.
  package static func bytes(of path: FilePath) -> [UInt8]? {
    guard let number = try? open(path) else { return nil }
    return bytes(of: OwnedDescriptor(owning: number))
  }

  /// The first bytes of a file, as many as there are of a number; nothing if it cannot be read.
  package static func start(of path: FilePath, count: Int) -> ArraySlice<UInt8>? {
    guard let number = try? open(path) else { return nil }
    let file = OwnedDescriptor(owning: number)
    var buffer = [UInt8](repeating: 0, count: count)
    let descriptor = file.number
    let found = try? retryingOnInterrupt {
      unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    }
    return found.map { buffer[..<$0] }
  }

  /// The bytes of a regular file in a directory; nothing if it is another kind or cannot be read.
  package static func bytes(of name: FileName, in directory: DirectoryHandle) -> [UInt8]? {
    let file = try? name.withView { (name) throws(Errno) -> OwnedDescriptor in
      try OwnedDescriptor.open(name, in: directory.descriptor, for: .read)
    }
    guard let file, (try? FileStatus.of(file).kind) == .file else { return nil }
    return bytes(of: file)
  }

  private static func bytes(of file: consuming OwnedDescriptor) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.count < limit {
      let descriptor = file.number
      let count = try? retryingOnInterrupt {
        unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      }
      guard let count else { return nil }
      if count == 0 { break }
      bytes.append(contentsOf: buffer[..<count])
    }
    return bytes
  }

  private static func open(_ path: FilePath) throws(Errno) -> CInt {
    try unsafe path.withCString { (cString) throws(Errno) -> CInt in
      try retryingOnInterrupt { unsafe clinux_openat(AT_FDCWD, cString, O_RDONLY | O_CLOEXEC, 0) }
    }
  }
}
