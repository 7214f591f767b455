import Glibc
package import SystemPackage

/// The user's settings in the environment of the process.
package enum UserEnvironment {
  /// `getenv(3)`.
  package static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// `getuid(2)`.
  package static var userID: UInt32 { getuid() }

  /// The home folder: `HOME`, or else the root of the file system.
  package static var home: FilePath {
    guard let home = variable("HOME"), home.hasPrefix("/") else { return "/" }
    return FilePath(home)
  }

  /// The folder for the user's documents: `XDG_DOCUMENTS_DIR`, from the environment or from `user-dirs.dirs`
  /// (xdg-user-dirs), or else `~/Documents`.
  package static var documents: FilePath {
    if let path = variable("XDG_DOCUMENTS_DIR").flatMap(absolute) { return path }
    let configuration = variable("XDG_CONFIG_HOME").flatMap(absolute) ?? home.appending(".config")
    for line in lines(of: configuration.appending("user-dirs.dirs")) {
      let prefix = "XDG_DOCUMENTS_DIR=\""
      guard line.hasPrefix(prefix), line.hasSuffix("\"") else { continue }
      if let path = absolute(String(line.dropFirst(prefix.count).dropLast())) { return path }
    }
    return home.appending("Documents")
  }

  /// The folder for what programs remember between runs: `XDG_STATE_HOME`, or else `~/.local/state`.
  package static var state: FilePath {
    variable("XDG_STATE_HOME").flatMap(absolute) ?? home.appending(".local").appending("state")
  }

  private static func absolute(_ value: String) -> FilePath? {
    if value.hasPrefix("/") { return FilePath(value) }
    guard value.hasPrefix("$HOME/") else { return nil }
    return home.appending(String(value.dropFirst("$HOME/".count)))
  }

  private static func lines(of path: FilePath) -> [String] {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return [] }
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = (try? unsafe bytes.withUnsafeMutableBytes { unsafe try file.read(into: $0) }) ?? 0
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

extension FilePath {
  /// The present absolute path of an open file: `readlink(2)` of `/proc/self/fd/N`.
  package static func ofOpen(_ descriptor: borrowing OwnedDescriptor) -> FilePath? {
    let number = descriptor.number
    let capacity = Int(PATH_MAX)
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity + 1) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = try? unsafe ProcessPath.with(descriptor: number) { (path) throws(Errno) -> Int in
        try retryingOnInterrupt { unsafe readlink(path, start, capacity) }
      }
      guard let count, count < capacity else { return nil }
      unsafe buffer[count] = 0
      return unsafe FilePath(platformString: start)
    }
  }
}
