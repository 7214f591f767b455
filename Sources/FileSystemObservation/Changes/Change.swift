package import FileIdentity
public import FoundationEssentials
public import SystemPackage

/// One thing that happened to one item.
///
/// Which situation gives which kind is told in the README's table of changes.
public struct Change: Sendable {
  /// What happened.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The item is new here. While ``Change/isCopying`` is set, it is still being written, and `copyFinished` follows.
    case discovered
    /// The item that arrived while observing is complete. Said once for every file that arrives.
    case copyFinished
    /// The content or its time of modification changed: written in place, replaced by a save, or touched. The UUID stays. Said when the
    /// file rests; while it does not, also every ``ObservationOptions/modificationInterval``.
    case modified
    /// The item has another name in the same directory.
    case renamed
    /// The item is in another directory; its name may differ too.
    case moved
    /// The item is a copy of another that still stands. It has a UUID of its own.
    case duplicated
    /// The file has a further name (hard link).
    case linked
    /// One of several names of a file went away; the file has others.
    case unlinked
    /// The item is gone.
    case deleted
  }

  /// Why an item was deleted, or how it came to be discovered.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// Its last name was removed.
    case removed
    /// It was moved into a trash folder.
    case trashed
    /// It was moved out of the observed tree, or to a name that is excluded or hidden.
    case movedOut
    /// Another item was moved over it, or made in its place, and it had not been moved away before.
    case replaced
    /// The file system it is on was unmounted, or another was mounted over it: it is not to be seen, and may well be there.
    case unmounted
    /// An item with this UUID had been deleted before, and is back.
    case returned
  }

  /// What happened.
  public let kind: Kind
  /// The item's identity.
  public let uuid: UUID
  /// Whether it is a file, a directory or a symbolic link.
  public let itemKind: ItemKind
  /// Where the item is now; for `deleted` and `unlinked`, where it was last.
  public let path: FilePath
  /// Where the item was before, for `renamed` and `moved`.
  public let previousPath: FilePath?
  /// The item this is a copy of, for `duplicated`.
  public let originalUUID: UUID?
  /// Where the original is, for `duplicated`.
  public let originalPath: FilePath?
  /// Whether the file is still being written, for `discovered`.
  public let isCopying: Bool
  /// Why, for `deleted`; `returned` for an item that came back.
  public let reason: Reason?
  /// What the UUID rests on at this moment.
  public let identityKind: IdentityKind

  /// `path` as a file URL.
  ///
  /// A path that is not UTF-8 has no faithful URL: use ``path`` where that can happen.
  public var url: URL { URL(path, itemKind) }

  /// `previousPath` as a file URL.
  public var previousURL: URL? { previousPath.map { URL($0, itemKind) } }

  /// `originalPath` as a file URL.
  public var originalURL: URL? { originalPath.map { URL($0, itemKind) } }

  package init(
    kind: Kind, uuid: UUID, itemKind: ItemKind, path: FilePath, previousPath: FilePath? = nil,
    originalUUID: UUID? = nil, originalPath: FilePath? = nil, isCopying: Bool = false, reason: Reason? = nil,
    identityKind: IdentityKind = .tag
  ) {
    self.kind = kind
    self.uuid = uuid
    self.itemKind = itemKind
    self.path = path
    self.previousPath = previousPath
    self.originalUUID = originalUUID
    self.originalPath = originalPath
    self.isCopying = isCopying
    self.reason = reason
    self.identityKind = identityKind
  }
}

extension URL {
  init(_ path: FilePath, _ kind: ItemKind) {
    self.init(filePath: path.string, directoryHint: kind == .directory ? .isDirectory : .notDirectory)
  }
}

extension UUID {
  package init(_ bits: UUIDBits) {
    func byte(_ word: UInt64, _ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * index)) }
    let (high, low) = (bits.high, bits.low)
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
        byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6),
        byte(low, 7)
      ))
  }
}

extension UUIDBits {
  package init(_ uuid: UUID) {
    let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = uuid.uuid
    self.init(high: Self.word(a, b, c, d, e, f, g, h), low: Self.word(i, j, k, l, m, n, o, p))
  }

  private static func word(
    _ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, _ e: UInt8, _ f: UInt8, _ g: UInt8, _ h: UInt8
  ) -> UInt64 {
    let high = UInt64(a) << 56 | UInt64(b) << 48 | UInt64(c) << 40 | UInt64(d) << 32
    return high | UInt64(e) << 24 | UInt64(f) << 16 | UInt64(g) << 8 | UInt64(h)
  }
}
