import FileIdentity
import SystemPackage

/// Where the observed directory was opened, and its owner.
///
/// A directory found later at the path is compared with both: another user may own the directory above, and put
/// anything there.
struct RootOrigin {
  /// What is at the path instead of the directory.
  enum Replacement: Equatable {
    /// A symbolic link in the path, or a file.
    case noDirectory
    case directory(FileKey)
  }

  /// The path without symbolic links.
  var path: FilePath
  /// The user ID of the owner.
  var owner: UInt32
  /// The replacement that a diagnostic has reported.
  var reportedReplacement: Replacement?
}
