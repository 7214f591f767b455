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
  public func names() -> [String] { Self.names(in: path).map(\.string).sorted() }

  private static func names(in directory: FilePath) -> [FilePath.Component] {
    guard let stream = unsafe directory.withPlatformString({ unsafe opendir($0) }) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [FilePath.Component] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe FilePath(platformString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if let component = name.lastComponent, component.kind == .regular { names.append(component) }
    }
    return names
  }

  private static func removeTree(_ path: FilePath) {
    var status = stat()
    guard unsafe path.withPlatformString({ unsafe lstat($0, &status) }) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in names(in: path) { removeTree(path.appending(name)) }
      _ = unsafe path.withPlatformString { unsafe rmdir($0) }
    } else {
      _ = unsafe path.withPlatformString { unsafe unlink($0) }
    }
  }
}
