import LinuxFileSystem
import SystemPackage

extension FilePath {
  /// The path from the root of the file system; a relative one starts at the working directory.
  ///
  /// Where it goes up with `..`, the kernel is asked: above a symbolic link, the text alone would lead elsewhere.
  func absolute() throws(CommandFailure) -> FilePath {
    if components.contains(where: { $0.kind == .parentDirectory }),
      let open = try? OwnedDescriptor.openDirectory(at: self, for: .search), let path = FilePath.ofOpen(open)
    {
      return path
    }
    if isAbsolute { return self }
    guard let working = ProcessSetup.workingDirectory else { throw CommandFailure(self, .noSuchFileOrDirectory) }
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
