import Glibc
public import SystemPackage

/// A new folder for one test, on a real file system, removed with all it holds when the test lets go of it.
public final class ScratchFolder: Sendable {
  /// Where it is, without symbolic links on the way: programs print paths as the kernel knows them.
  public let path: FilePath
  private let stays: Bool

  /// Makes it in `TMPDIR`, or else in `/var/tmp`, which unlike `/tmp` is seldom in memory.
  public convenience init() throws(Errno) {
    unsafe try self.init(in: getenv("TMPDIR").map { unsafe FilePath(platformString: $0) } ?? "/var/tmp")
  }

  /// Makes it in a folder of the test's choice.
  ///
  /// - Parameters:
  ///   - name: What its name begins with.
  ///   - stays: Whether it is left behind.
  public init(in parent: FilePath, named name: String = "fsobservation", stays: Bool = false) throws(Errno) {
    self.stays = stays
    var template = ContiguousArray("\(parent)/\(name)-XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.flatMap { unsafe realpath($0, nil) }
    }
    guard let made = unsafe made else { throw Errno(rawValue: errno) }
    defer { unsafe free(made) }
    path = unsafe FilePath(platformString: made)
  }

  deinit {
    if !stays { Self.removeTree(path) }
  }

  /// The path of one item in it.
  public func path(_ name: String) -> FilePath { path.appending(name) }

  /// The names in it, in order.
  public func names() -> [String] {
    guard let stream = unsafe path.withPlatformString({ unsafe opendir($0) }) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func removeTree(_ path: FilePath) {
    let directory = unsafe path.withPlatformString { path in
      unsafe openToRemove(AT_FDCWD, path)
    }
    if directory >= 0 { removeContents(of: directory) }
    _ = unsafe path.withPlatformString { unsafe rmdir($0) }
  }

  /// Removes what is in a directory, whatever bytes the names are, and closes it.
  private static func removeContents(of directory: CInt) {
    guard let stream = unsafe fdopendir(directory) else { return }
    defer { unsafe closedir(stream) }
    while let entry = unsafe readdir(stream) {
      unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        let name = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
        if unsafe isDots(name) || unlinkat(directory, name, 0) == 0 { return }
        let folder = unsafe openToRemove(directory, name)
        if folder >= 0 { removeContents(of: folder) }
        unsafe unlinkat(directory, name, AT_REMOVEDIR)
      }
    }
  }

  /// Opens a directory whatever its permissions are, so that what is in it can be removed.
  private static func openToRemove(_ directory: CInt, _ name: UnsafePointer<CChar>) -> CInt {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var folder = unsafe openat(directory, name, flags)
    if folder < 0, errno == EACCES, unsafe fchmodat(directory, name, 0o700, 0) == 0 {
      folder = unsafe openat(directory, name, flags)
    }
    if folder >= 0 { fchmod(folder, 0o700) }
    return folder
  }

  private static func isDots(_ name: UnsafePointer<CChar>) -> Bool {
    unsafe strcmp(name, ".") == 0 || strcmp(name, "..") == 0
  }
}
