import ArgumentParser
import FileSystemObservation
import FoundationEssentials
import SystemPackage

/// An argument that is one of a few words.
protocol WordArgument: RawRepresentable<String>, CaseIterable, Sendable {}

extension WordArgument {
  /// All words.
  static var words: [String] { allCases.map(\.rawValue) }
  /// The completion for the shell.
  static var completion: CompletionKind { .list(words) }
}

/// Parses the words of the command line; for a malformed word, the usage error says what is wrong.
enum Parsing {
  @Sendable
  static func path(_ argument: String) throws -> FilePath {
    guard !argument.isEmpty else { throw ValidationError("a path cannot be empty") }
    return FilePath(bytes: RawArgument.decode(argument))
  }

  /// One of a few words.
  @Sendable
  static func word<Word: WordArgument>(_ argument: String) throws -> Word {
    if let word = Word(rawValue: argument) { return word }
    let words = Word.words
    throw ValidationError("it must be \(words.listed(with: "or"))\(Suggestion.question(for: argument, among: words))")
  }

  @Sendable
  static func uuid(_ argument: String) throws -> UUID {
    guard argument.utf8.count == UUID.textLength, let uuid = UUID(uuidString: argument) else {
      throw ValidationError("not a UUID of the form 01234567-89ab-cdef-0123-456789abcdef")
    }
    return uuid
  }

  @Sendable
  static func cursor(_ argument: String) throws -> FileSystemObserver.Cursor {
    guard let cursor = FileSystemObserver.Cursor(argument) else {
      throw ValidationError("not a cursor, as JSON lines have one on the last line of a set")
    }
    return cursor
  }

  @Sendable
  static func bookmark(_ argument: String) throws -> FileBookmark {
    do throws(FileBookmarkError) {
      return try FileBookmark(parsing: argument)
    } catch {
      throw ValidationError(error.description)
    }
  }

  @Sendable
  static func levels(_ argument: String) throws -> Int {
    guard let levels = Int(argument), levels >= 0 else { throw ValidationError("not a whole number from 0 on") }
    return levels
  }

  /// A time in seconds, at most an hour.
  @Sendable
  static func seconds(_ argument: String) throws -> Duration {
    guard let seconds = Double(argument), (0...3600).contains(seconds) else {
      throw ValidationError("not a number of seconds between 0 and 3600")
    }
    return .nanoseconds(Int64(seconds * 1e9))
  }

  /// A time in seconds, at most a year.
  @Sendable
  static func longSeconds(_ argument: String) throws -> Duration {
    guard let seconds = Double(argument), (0...31_536_000).contains(seconds) else {
      throw ValidationError("not a number of seconds between 0 and 31536000")
    }
    return .nanoseconds(Int64(seconds * 1e9))
  }

  /// A command for the shell.
  @Sendable
  static func command(_ argument: String) throws -> String {
    guard !argument.isEmpty else { throw ValidationError("a command cannot be empty") }
    guard !argument.contains("\0") else { throw ValidationError("a command must be UTF-8") }
    return argument
  }

  @Sendable
  static func pattern(_ argument: String) throws -> String {
    guard !argument.contains("\0") else { throw ValidationError("a pattern must be UTF-8") }
    var configuration = FileSystemObserver.Configuration(directory: "/")
    configuration.excludedPatterns = [argument]
    do throws(FileSystemObserverError) {
      try configuration.check()
      return argument
    } catch {
      throw ValidationError(error.message)
    }
  }
}
