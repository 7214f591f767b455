import Glibc

/// The kind of a directory entry as far as the listing itself tells (`d_type`).
@usableFromInline package enum ListedKind: Sendable {
  case file, directory, symlink, special
  /// The file system does not say; only `statx(2)` tells.
  case unknown

  init(_ type: UInt8) {
    switch Int(type) {
    case Int(DT_REG): self = .file
    case Int(DT_DIR): self = .directory
    case Int(DT_LNK): self = .symlink
    case Int(DT_UNKNOWN): self = .unknown
    default: self = .special
    }
  }
}
