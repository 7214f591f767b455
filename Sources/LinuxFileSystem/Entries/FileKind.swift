/// The kind of an object in a directory.
@usableFromInline package enum FileKind: UInt8, Sendable {
  case file
  case directory
  case symlink
  /// A FIFO, socket or device: never opened, tagged or observed.
  case special
}
