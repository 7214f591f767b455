/// The bits of inotify(7).
@usableFromInline package struct InotifyMask: OptionSet, Hashable, Sendable {
  @usableFromInline package var rawValue: UInt32

  @usableFromInline package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let modify = Self(rawValue: 0x2)
  package static let attribute = Self(rawValue: 0x4)
  package static let closeWrite = Self(rawValue: 0x8)
  package static let movedFrom = Self(rawValue: 0x40)
  package static let movedTo = Self(rawValue: 0x80)
  package static let create = Self(rawValue: 0x100)
  package static let delete = Self(rawValue: 0x200)
  package static let deleteSelf = Self(rawValue: 0x400)
  package static let moveSelf = Self(rawValue: 0x800)
  package static let unmount = Self(rawValue: 0x2000)
  package static let queueOverflow = Self(rawValue: 0x4000)
  package static let ignored = Self(rawValue: 0x8000)
  package static let onlyDirectory = Self(rawValue: 0x0100_0000)
  package static let excludeUnlinked = Self(rawValue: 0x0400_0000)
  package static let add = Self(rawValue: 0x2000_0000)
  package static let isDirectory = Self(rawValue: 0x4000_0000)
}
