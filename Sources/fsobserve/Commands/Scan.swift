import ArgumentParser
import FileSystemObservation
import Synchronization
import SystemPackage

/// `fsobserve scan DIR…`.
struct Scan: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List what is in a folder with its UUIDs, and what the scan did.",
    discussion: """
      Every file and folder that has no UUID yet gets one, unless --no-tag is given. At the end stands how many were tagged, \
      how many copies got a UUID of their own, and what was skipped and why. Several folders are listed one after the other.

      \(ObservationArguments.aboutPatterns)

      EXAMPLES:
        What is in a folder, with UUIDs:
            fsobserve scan ~/Documents
        The notes only, as JSON, without writing tags:
            fsobserve scan ~/Documents --no-tag --include '*.md' --format jsonl
        Keep the tree, for watch to say later what happened since:
            fsobserve scan ~/Documents --store ~/documents.store
      """)

  @Argument(help: ArgumentHelp("The folders.", valueName: "dir"), completion: .directory, transform: Parsing.path)
  var paths: [FilePath]

  @OptionGroup var observation: ObservationArguments

  func validate() throws { try observation.check(paths) }

  func run() throws {
    ProcessSetup.returnFreedMemory()
    let run = try ObservationRun()
    let listing = Listing(observation)
    for configuration in observation.configurations(of: try ObservationArguments.absolutePaths(paths)) {
      let style = observation.style(of: configuration.directory, isOneOfSeveral: paths.count > 1)
      let observer = try observation.observer(configuration)
      let outcome = try run.perform([{ observer }]) { _, observer, event in
        let verdict = try listing.take(event, of: observer, style)
        guard verdict == .finished, observation.readsContents else { return verdict }
        // The next run needs the digests of what this one has listed.
        Task {
          await observer.readContents()
          run.finish()
        }
        return .goOn
      }
      if outcome != .finished { throw CommandFailure("interrupted before the scan was complete") }
    }
  }
}

/// Lists the items that observers find.
private final class Listing: Sendable {
  private let console = Console()
  private let progress: ProgressLine
  private let lines: Mutex<LineBuffer>

  init(_ observation: ObservationArguments) {
    let console = console
    progress = ProgressLine(on: console, isWanted: observation.progress)
    lines = Mutex(LineBuffer(observation.lineFormat) { try console.write($0) })
  }

  /// Takes an event; the run ends with the scan.
  func take(
    _ event: FileSystemObserver.Event, of observer: FileSystemObserver, _ style: Reporter.Style
  ) throws -> ObservationRun.Verdict {
    progress.follow(event)
    switch event {
    case .didCompleteFullScan(let summary):
      var reporter = Reporter(style)
      try lines.withLock { lines in
        try reporter.list(observer.snapshot(), summary, to: &lines)
        try lines.flush()
      }
      return .finished
    case .diagnostic(let diagnostic): console.complain(of: diagnostic)
    case .didEnd(let error): throw error
    case .willBeginFullScan, .scanProgress, .didChange, .reset, .rootMoved: break
    @unknown default: break
    }
    return .goOn
  }
}
