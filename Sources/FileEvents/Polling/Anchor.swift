import SystemPackage

/// The way to a directory that nothing leads to that is polled.
enum Anchor<Directory: Sendable>: Sendable {
  case open(Directory)
  case path(FilePath)
}
