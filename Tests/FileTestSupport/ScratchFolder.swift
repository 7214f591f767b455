import Glibc
public import SystemPackage

/// A new folder for one test, on a real file system, removed with all it holds when the test lets go of it.
public final class ScratchFolder: Sendable {
  /// Where it is.
  public let path: FilePath

  /// Makes it in `TMPDIR`, or else in `/var/tmp`, which unlike `/tmp` is seldom in memory.
  public convenience init() throws {
    unsafe try self.init(in: getenv("TMPDIR").map { unsafe FilePath(platformString: $0) } ?? "/var/tmp")
  }

  /// Makes it in a folder of the test's choice.
  public init(in parent: FilePath) throws {
    var template = Array((parent.string + "/fsobservation-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    path = unsafe template.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe FilePath(platformString: $0) } ?? FilePath()
    }
  }

  deinit {
    Self.removeTree(path)
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
    let directory = unsafe path.withPlatformString { unsafe Glibc.open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) }
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
        let folder = unsafe openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        if folder >= 0 { removeContents(of: folder) }
        unsafe unlinkat(directory, name, AT_REMOVEDIR)
      }
    }
  }

  private static func isDots(_ name: UnsafePointer<CChar>) -> Bool {
    unsafe strcmp(name, ".") == 0 || strcmp(name, "..") == 0
  }
}
