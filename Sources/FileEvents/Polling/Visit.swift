import LinuxFileSystem

/// A directory that somebody looks at: nobody else does meanwhile.
struct Visit: Sendable {
  var shadow: DirectoryShadow
  /// What was known, where it was listed anew.
  var former: DirectoryShadow?
  let mark: MarkID
  let scope: MarkScope
  var stamp: DirectoryStamp?
  var stampSince: MonotonicTime
  var isFinal: Bool
  var mustAdoptTimes: Bool
  var hasAdoptedTimes = false
}
