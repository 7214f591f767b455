import LinuxFileSystem

/// A name in a marked directory.
struct NamedPlace: Sendable {
  var mark: MarkID
  var name: FileName
  /// A digest of both.
  var key: Digest
}
