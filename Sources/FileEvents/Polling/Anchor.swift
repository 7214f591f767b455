import SystemPackage

/// The access to a polled directory whose parent is not polled.
enum Anchor<Directory: Sendable>: Sendable {
  case open(Directory)
  case path(FilePath)
}
