import ArgumentParser
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// What turns the words of the command line into values; a malformed word is a usage error that says what is wrong with it.
enum Parsing {
  @Sendable
  static func path(_ argument: String) throws -> FilePath {
    guard !argument.isEmpty else { throw ValidationError("a path cannot be empty") }
    return FilePath(bytes: RawArgument.decode(argument))
  }

  @Sendable
  static func uuid(_ argument: String) throws -> UUIDBits {
    guard let uuid = UUIDBits(text: Array(argument.utf8)) else {
      throw ValidationError("not a UUID of the form 01234567-89ab-cdef-0123-456789abcdef")
    }
    return uuid
  }

  @Sendable
  static func levels(_ argument: String) throws -> Int {
    guard let levels = Int(argument), levels >= 0 else { throw ValidationError("not a whole number from 0 on") }
    return levels
  }

  /// A time in seconds, at most a day.
  @Sendable
  static func seconds(_ argument: String) throws -> Duration {
    guard let seconds = Double(argument), (0...86_400).contains(seconds) else {
      throw ValidationError("not a number of seconds between 0 and 86400")
    }
    return .nanoseconds(Int64(seconds * 1e9))
  }

  /// A glob as fnmatch(3) has it: `*`, `?`, `[a-z]`, and `\` before a character that stands for itself.
  @Sendable
  static func glob(_ argument: String) throws -> String {
    guard !argument.isEmpty else { throw ValidationError("a pattern cannot be empty") }
    guard !argument.contains("\0") else { throw ValidationError("a pattern must be UTF-8") }
    var rest = Substring(argument)
    while let character = rest.popFirst() {
      switch character {
      case "\\" where rest.popFirst() == nil: throw ValidationError("nothing follows the backslash")
      case "[" where !skipSet(&rest): throw ValidationError("the bracket '[' is not closed")
      default: break
      }
    }
    return argument
  }

  /// Takes the rest of a bracket expression away.
  ///
  /// Says whether it was closed; a `]` that comes first is a member of the set.
  private static func skipSet(_ rest: inout Substring) -> Bool {
    if let first = rest.first, "!^".contains(first) { rest.removeFirst() }
    var isFirst = true
    while let character = rest.popFirst() {
      if character == "]", !isFirst { return true }
      if character == "\\" { _ = rest.popFirst() }
      isFirst = false
    }
    return false
  }
}
