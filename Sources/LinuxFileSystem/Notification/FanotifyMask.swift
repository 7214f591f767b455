/// The bits of fanotify(7).
@usableFromInline package struct FanotifyMask: OptionSet, Hashable, Sendable {
  @usableFromInline package var rawValue: UInt64

  @usableFromInline package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  package static let modify = Self(rawValue: 0x2)
  package static let attribute = Self(rawValue: 0x4)
  package static let closeWrite = Self(rawValue: 0x8)
  package static let create = Self(rawValue: 0x100)
  package static let delete = Self(rawValue: 0x200)
  package static let deleteSelf = Self(rawValue: 0x400)
  package static let moveSelf = Self(rawValue: 0x800)
  package static let queueOverflow = Self(rawValue: 0x4000)
  /// Includes events of the entries of a marked directory.
  package static let onChild = Self(rawValue: 0x0800_0000)
  package static let rename = Self(rawValue: 0x1000_0000)
  package static let onDirectory = Self(rawValue: 0x4000_0000)
}
