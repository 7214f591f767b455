import ArgumentParser
import FileSystemObservation
import SystemPackage

/// A failure that ends the command with one line on standard error.
struct CommandFailure: Error {
  var message: String

  init(_ message: String) {
    self.message = message
  }

  init(_ path: FilePath, _ errno: Errno) {
    self.init("\(path.printable): \(errno)")
  }
}

/// A mistake on the command line that the parser does not find.
struct CommandMistake: Error {
  var message: String

  init(_ message: String) {
    self.message = message
  }
}

/// Standard output refused a write.
struct OutputFailure: Error {
  var errno: Errno

  /// Whether the reader has closed the pipe, as `head` does.
  ///
  /// That is no reason to complain.
  var isClosedPipe: Bool { errno == .brokenPipe }
}

/// How an error ends the command: its message and its exit status.
struct Ending {
  private let error: any Error
  private let console = Console()

  init(_ error: any Error) {
    self.error = error
  }

  func end() -> Never {
    if isRequest { FSObserve.exit(withError: error) }
    if let message { console.complain(message) }
    FSObserve.exit(withError: status)
  }

  /// Whether the error is a request for help or for the version.
  private var isRequest: Bool {
    !(error is ExitCode || error is OutputFailure) && FSObserve.exitCode(for: error).isSuccess
  }

  private var message: String? {
    switch error {
    case is ExitCode: nil
    case let failure as OutputFailure: failure.isClosedPipe ? nil : "cannot write the output: \(failure.errno)"
    case let failure as CommandFailure: failure.message
    case let mistake as CommandMistake: mistake.message
    case let error as FileSystemObserverError: error.message
    case let error as FileBookmarkError: error.description
    default: RawArgument.display(FSObserve.message(for: error))
    }
  }

  private var status: ExitCode {
    switch error {
    case let status as ExitCode: status
    case let failure as OutputFailure: failure.isClosedPipe ? .success : .failure
    case is CommandMistake: .validationFailure
    case let error as FileSystemObserverError: error.code == .invalidArgument ? .validationFailure : .failure
    case is FileBookmarkError: .failure
    default: FSObserve.exitCode(for: error)
    }
  }
}
