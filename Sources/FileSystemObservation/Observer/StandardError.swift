import SystemPackage

/// Where a library says what nobody would hear otherwise.
enum StandardError {
  /// Writes a line; one that cannot be written is lost.
  static func write(_ line: String) {
    _ = try? FileDescriptor.standardError.writeAll(Array((line + "\n").utf8))
  }
}
