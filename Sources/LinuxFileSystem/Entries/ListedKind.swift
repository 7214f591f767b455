import Glibc

/// The kind of an entry according to the listing (`d_type`).
@usableFromInline package enum ListedKind: Sendable {
  case file, directory, symlink, special
  /// The file system does not list kinds: use `statx(2)`.
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
