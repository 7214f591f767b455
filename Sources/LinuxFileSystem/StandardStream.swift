internal import CLinux
package import SystemPackage

/// Where a command line tool writes.
package enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// `isatty(3)`.
  package var isTerminal: Bool { clinux_is_terminal(rawValue) == 1 }

  /// Writes all bytes: with one `write(2)` unless the kernel takes only a part of them.
  ///
  /// `EPIPE` when nobody reads any more.
  package func write(_ bytes: [UInt8]) throws(Errno) {
    var written = 0
    while written < bytes.count {
      let start = written
      written += try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(Errno) -> Int in
        let rest = unsafe UnsafeBufferPointer(rebasing: buffer[start...])
        return try retryingOnInterrupt { unsafe clinux_write(rawValue, rest.baseAddress, rest.count) }
      }
    }
  }

  /// Sees to it that a closed standard stream stays closed: no file that is opened later takes its number.
  package static func secure() throws(Errno) {
    _ = try retryingOnInterrupt { clinux_secure_standard_streams() }
  }
}
