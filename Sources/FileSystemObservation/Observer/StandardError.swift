import SystemPackage

/// Writes messages that have no other recipient.
enum StandardError {
  /// Writes a line; errors are ignored.
  static func write(_ line: String) {
    _ = try? FileDescriptor.standardError.writeAll(Array((line + "\n").utf8))
  }
}
