import CLinux
public import Glibc
public import SystemPackage

/// What tests do to files, by the plain system calls and none of the code under test.
public enum PlainFiles {
  /// Throws what the system said where a call failed.
  private static func check(_ result: Int) throws -> Int {
    if result == -1 { throw Errno(rawValue: errno) }
    return result
  }

  /// Writes a file anew.
  public static func write(_ bytes: some Sequence<UInt8>, to path: FilePath) throws {
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: FilePermissions(rawValue: 0o644))
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }

  /// Reads a file whole.
  public static func read(_ path: FilePath) throws -> [UInt8] {
    let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    return try file.closeAfter {
      let size = Int(try file.seek(offset: 0, from: .end))
      return unsafe try Array(unsafeUninitializedCapacity: size) { buffer, count in
        count = unsafe try file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }

  /// `lgetxattr(2)`; nil where there is none.
  public static func attribute(_ name: String, of path: FilePath) throws -> [UInt8]? {
    unsafe try path.withPlatformString { path in
      let size = unsafe clinux_lgetxattr(path, name, nil, 0)
      if size == -1 && errno == ENODATA { return nil }
      return unsafe try Array(unsafeUninitializedCapacity: try check(size)) { buffer, count in
        count = unsafe try check(clinux_lgetxattr(path, name, buffer.baseAddress, buffer.count))
      }
    }
  }

  /// `lsetxattr(2)`.
  public static func setAttribute(_ name: String, of path: FilePath, to value: [UInt8]) throws {
    _ = unsafe try path.withPlatformString { path in
      unsafe try check(Int(clinux_lsetxattr(path, name, value, value.count, 0)))
    }
  }

  /// Removes an extended attribute.
  public static func removeAttribute(_ name: String, of path: FilePath) throws {
    _ = unsafe try path.withPlatformString { path in unsafe try check(Int(clinux_lremovexattr(path, name))) }
  }

  /// `lstat(2)`.
  public static func status(of path: FilePath) throws -> stat {
    var status = stat()
    _ = unsafe try check(Int(path.withPlatformString { unsafe lstat($0, &status) }))
    return status
  }

  /// `chmod(2)`.
  public static func setPermissions(_ permissions: UInt32, of path: FilePath) throws {
    _ = unsafe try check(Int(path.withPlatformString { unsafe chmod($0, permissions) }))
  }

  /// `lchown(2)`.
  public static func setOwner(_ owner: UInt32, group: UInt32, of path: FilePath) throws {
    _ = unsafe try check(Int(path.withPlatformString { unsafe lchown($0, owner, group) }))
  }

  /// `symlink(2)`.
  public static func makeSymlink(at path: FilePath, to target: FilePath) throws {
    _ = unsafe try check(
      Int(target.withPlatformString { target in unsafe path.withPlatformString { unsafe symlink(target, $0) } }))
  }

  /// `link(2)`.
  public static func makeLink(at path: FilePath, to target: FilePath) throws {
    _ = unsafe try check(
      Int(target.withPlatformString { target in unsafe path.withPlatformString { unsafe link(target, $0) } }))
  }

  /// `mkdir(2)`.
  public static func makeFolder(at path: FilePath, permissions: UInt32 = 0o755) throws {
    _ = unsafe try check(Int(path.withPlatformString { unsafe mkdir($0, permissions) }))
  }

  /// `mkfifo(3)`.
  public static func makePipe(at path: FilePath) throws {
    _ = unsafe try check(Int(path.withPlatformString { unsafe mkfifo($0, 0o600) }))
  }

  /// `rename(2)`.
  public static func rename(_ path: FilePath, to target: FilePath) throws {
    _ = unsafe try check(
      Int(path.withPlatformString { path in unsafe target.withPlatformString { unsafe Glibc.rename(path, $0) } }))
  }

  /// `rmdir(2)`.
  public static func removeFolder(_ path: FilePath) throws {
    _ = unsafe try check(Int(path.withPlatformString { unsafe rmdir($0) }))
  }

  /// `access(2)`.
  public static func isWritable(_ path: FilePath) -> Bool {
    unsafe path.withPlatformString { unsafe access($0, W_OK) } == 0
  }

  /// `unlink(2)`.
  public static func remove(_ path: FilePath) throws {
    _ = unsafe try check(Int(path.withPlatformString { unsafe unlink($0) }))
  }
}
