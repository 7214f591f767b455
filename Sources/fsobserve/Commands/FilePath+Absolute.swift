import Glibc
import SystemPackage

extension FilePath {
  /// The absolute path; a relative path starts at the working directory.
  ///
  /// The kernel resolves `..`: above a symbolic link, the text alone would lead elsewhere.
  func absolute() throws(CommandFailure) -> FilePath {
    if components.contains(where: { $0.kind == .parentDirectory }), let resolved { return resolved }
    if isAbsolute { return self }
    guard let working = ProcessSetup.workingDirectory else { throw CommandFailure(self, .noSuchFileOrDirectory) }
    return working.pushing(self)
  }

  /// `realpath(3)`; `nil` if the path does not exist.
  var resolved: FilePath? {
    let path = unsafe withPlatformString { unsafe realpath($0, nil) }
    guard let path = unsafe path else { return nil }
    defer { unsafe free(path) }
    return unsafe FilePath(platformString: path)
  }
}
