import FileSystemObservation
import SystemPackage

/// What a line says besides its report.
struct LineContext: Sendable {
  /// The sequence number of the line's change set, or of the last one before it.
  var sequence: UInt64 = 0
  /// The folder, if there are several.
  var root: FilePath?
  /// The folder that paths are relative to, if they are.
  var base: FilePath?
  /// The time of the report, in nanoseconds since the beginning of 1970.
  var time: Int64?
  /// The cursor after the set, on the last line of a set.
  var cursor: FileSystemObserver.Cursor?
  /// Whether it is the first line of the output.
  var isFirst = false

  /// A path as the line shows it.
  func shown(_ path: FilePath) -> FilePath {
    guard let base else { return path }
    var rest = path
    guard rest.removePrefix(base) else { return path }
    return rest.isEmpty ? "." : rest
  }
}
