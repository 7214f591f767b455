import CTool
import SystemPackage

/// An output stream of the tool.
enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// `isatty(3)`.
  var isTerminal: Bool { ctool_is_terminal(rawValue) == 1 }

  /// Writes all bytes, with one `write(2)` unless the kernel takes only a part.
  ///
  /// - Throws: `EPIPE` if the reader has closed the pipe.
  func write(_ bytes: [UInt8]) throws(Errno) { try AnyStream.write(bytes, to: rawValue) }

  /// Makes sure that a closed standard stream stays closed: no file that is opened later gets its number.
  static func secure() throws(Errno) {
    _ = try retryingOnInterrupt { ctool_secure_standard_streams() }
  }
}

/// An open descriptor to write to.
enum AnyStream {
  /// Writes all bytes, and waits if there is no room for them.
  static func write(_ bytes: [UInt8], to descriptor: CInt) throws(Errno) {
    var written = 0
    while written < bytes.count {
      let start = written
      written += try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(Errno) -> Int in
        let rest = unsafe UnsafeBufferPointer(rebasing: buffer[start...])
        return try retryingOnInterrupt { unsafe ctool_write(descriptor, rest.baseAddress, rest.count) }
      }
    }
  }
}
