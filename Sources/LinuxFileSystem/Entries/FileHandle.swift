/// The handle by which the kernel names a file (`name_to_handle_at(2)`).
///
/// Other than an inode number, it never comes to stand for another file.
package struct FileHandle: Hashable, Sendable {
  private let digest: Digest

  package init(digest: Digest) {
    self.digest = digest
  }

  /// A digest of the file and of a name in it, should it be a directory.
  package func combined(with other: Digest) -> Digest {
    var combined = digest
    combined.combine(other.high)
    combined.combine(other.low)
    return combined
  }

  /// The name of an entry of this directory, as a digest.
  package func place(_ name: UnsafeBufferPointer<UInt8>) -> Digest {
    var place = digest
    unsafe place.combine(UnsafeRawBufferPointer(name))
    return place
  }
}
