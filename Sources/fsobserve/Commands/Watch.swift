import ArgumentParser
import FileSystemObservation
import Synchronization

/// `fsobserve watch DIR`.
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell what happens in a folder, one line per change, until interrupted.",
    discussion: """
      First everything is scanned and told as discovered, then each change as it happens. The lines of one change set are \
      written at once. SIGINT and SIGTERM end the command with status 0, and so does a reader that goes away.

      The patterns of --exclude and --include are those of gitignore(5): *, ?, [a-z], and ** for any folders. One without a \
      slash is about names; one that begins with a slash, or has one in the middle, about paths below the folder; one that \
      ends with a slash about folders only. The last that matches decides, and one that begins with ! takes out. Nothing \
      below an excluded folder is shown; of files, what is included is shown, and what is below an included folder.
      """)

  @OptionGroup var observation: ObservationArguments

  func run() throws {
    ProcessSetup.returnFreedMemory()
    let run = try ObservationRun()
    let console = Console()
    let progress = ProgressLine(on: console)
    let reporter = Mutex(Reporter(observation.format.lineFormat))
    _ = try run.perform(try observation.makeObserver()) { notification in
      progress.follow(notification)
      try console.write(reporter.withLock { $0.lines(for: notification) })
      if case .diagnostic(let diagnostic) = notification { console.complain(of: diagnostic) }
      if case .didEnd(let error) = notification { throw error }
      return .goOn
    }
  }
}

extension ProgressLine {
  /// Starts and ends with the scan.
  func follow(_ notification: FileSystemObserver.Event) {
    switch notification {
    case .willBeginFullScan: start()
    case .didCompleteFullScan, .didEnd: finish()
    case .didChange, .reset, .diagnostic: break
    @unknown default: break
    }
  }
}

extension Console {
  /// Tells a diagnostic.
  ///
  /// The loss of the folder ends the command, and is told then.
  func complain(of diagnostic: FileSystemObserver.Diagnostic) {
    if diagnostic.code != .rootLost { complain(diagnostic.message) }
  }
}
