import LinuxFileSystem

/// A directory that one thread looks at, to the exclusion of others.
struct Visit: Sendable {
  var shadow: DirectoryShadow
  /// The former entries, if the directory was listed again.
  var former: DirectoryShadow?
  let mark: MarkID
  let scope: MarkScope
  var stamp: DirectoryStamp?
  var stampSince: MonotonicTime
  var isFinal: Bool
  var mustAdoptTimes: Bool
  var hasAdoptedTimes = false
}
