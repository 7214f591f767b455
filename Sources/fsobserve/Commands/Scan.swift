import ArgumentParser
import FileSystemObservation

/// `fsobserve scan DIR`.
struct Scan: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List what is in a folder with its UUIDs, and tell what the scan did.",
    discussion: """
      Every file and folder that has no UUID yet gets one, unless --no-tag is given. At the end stands how many were tagged, \
      how many copies got a UUID of their own, and what was skipped and why.

      A pattern of --exclude is a glob: *, ?, [a-z]. It is held against names, or, with a slash in it, against paths below \
      the folder.
      """)

  @OptionGroup var observation: ObservationArguments

  func run() throws {
    let run = try ObservationRun()
    let console = Console()
    let progress = ProgressLine(on: console)
    let format = observation.format.lineFormat
    let observer = try observation.makeObserver()
    let outcome = try run.perform(observer) { [weak observer] notification in
      progress.follow(notification)
      switch notification {
      case .didCompleteFullScan(let summary):
        guard let observer else { return .finished }
        var reporter = Reporter(format)
        try console.write(reporter.lines(for: observer.snapshot(), summary))
        return .finished
      case .diagnostic(let diagnostic): console.complain(of: diagnostic)
      case .didEnd(let error): throw error
      case .willBeginFullScan, .didChange, .reset: break
      }
      return .goOn
    }
    if outcome == .interrupted { throw CommandFailure("interrupted before the scan was complete") }
  }
}
