/// What kind of thing a name stands for.
@usableFromInline package enum FileKind: UInt8, Sendable {
  case file
  case directory
  case symlink
  /// A FIFO, socket or device: never opened, never tagged, not observed.
  case special
}
