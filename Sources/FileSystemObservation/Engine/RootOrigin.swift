import FileIdentity
import SystemPackage

/// Where the observed directory was opened, and whose it is.
///
/// Whatever is at the path later is held against that: another user may own the directory above, and put there what he
/// likes.
struct RootOrigin {
  /// What stands where the directory was.
  enum Replacement: Equatable {
    /// A symbolic link, there or on the way there, or a file.
    case noDirectory
    case directory(FileKey)
  }

  /// The path without symbolic links.
  var path: FilePath
  /// The user whose it is.
  var owner: UInt32
  /// What the app was told to stand there.
  var toldReplacement: Replacement?
}
