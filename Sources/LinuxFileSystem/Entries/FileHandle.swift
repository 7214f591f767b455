/// The kernel's handle of a file (`name_to_handle_at(2)`).
///
/// Unlike an inode number, a handle is never reused.
package struct FileHandle: Hashable, Sendable {
  private let digest: Digest

  package init(digest: Digest) {
    self.digest = digest
  }

  /// A number that another handle hardly ever has.
  package var number: UInt64 { digest.high }

  /// A digest of the file and a place.
  package func combined(with other: Digest) -> Digest {
    var combined = digest
    combined.combine(other.high)
    combined.combine(other.low)
    return combined
  }

  /// A digest of this directory and a name in it.
  package func place(_ name: UnsafeBufferPointer<UInt8>) -> Digest {
    var place = digest
    unsafe place.combine(UnsafeRawBufferPointer(name))
    return place
  }
}
