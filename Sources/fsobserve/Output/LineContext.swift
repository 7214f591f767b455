import FileSystemObservation
import SystemPackage

/// What a line says besides what happened.
struct LineContext: Sendable {
  /// The number of the set of changes that the line belongs to, or of the last one before it.
  var sequence: UInt64 = 0
  /// The folder, where several are observed.
  var root: FilePath?
  /// Where paths begin, where they are told below it.
  var base: FilePath?
  /// When it was told, in nanoseconds since the beginning of 1970.
  var time: Int64?
  /// The moment after the set, for the last line of one.
  var cursor: FileSystemObserver.Cursor?
  /// Whether it is the first line of the output.
  var isFirst = false

  /// A path as it is told.
  func shown(_ path: FilePath) -> FilePath {
    guard let base else { return path }
    var rest = path
    guard rest.removePrefix(base) else { return path }
    return rest.isEmpty ? "." : rest
  }
}
