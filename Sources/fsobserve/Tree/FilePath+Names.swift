import LinuxFileSystem
import SystemPackage

extension FilePath {
  /// The path as it is from the root of the file system; a relative one starts at the working directory.
  var absolute: FilePath {
    guard !isAbsolute, let working = ProcessSetup.workingDirectory else { return self }
    return working.pushing(self)
  }

  /// The path of an entry.
  ///
  /// The folder itself is the entry `.`.
  func appending(_ name: NameView) -> FilePath {
    let bytes = unsafe Array(name.bytes)
    return bytes == [UInt8(ascii: ".")] ? self : pushing(FilePath(bytes: bytes))
  }

  /// The path of an entry.
  func appending(_ name: FileName) -> FilePath {
    pushing(FilePath(bytes: name.bytes))
  }
}
