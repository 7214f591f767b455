import LinuxFileSystem

/// A name in a directory.
struct NamedPlace: Sendable {
  var mark: MarkID
  var name: FileName
  /// Stands for both.
  var key: Digest
}
