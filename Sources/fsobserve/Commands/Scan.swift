import ArgumentParser
import FileSystemObservation

/// `fsobserve scan DIR`.
struct Scan: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List what is in a folder with its UUIDs, and tell what the scan did.",
    discussion: """
      Every file and folder that has no UUID yet gets one, unless --no-tag is given. At the end stands how many were tagged, \
      how many copies got a UUID of their own, and what was skipped and why.

      The patterns of --exclude and --include are those of gitignore(5): *, ?, [a-z], and ** for any folders. One without a \
      slash is about names; one that begins with a slash, or has one in the middle, about paths below the folder; one that \
      ends with a slash about folders only. The last that matches decides, and one that begins with ! takes out. Nothing \
      below an excluded folder is shown; of files, what is included is shown, and what is below an included folder.
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
      @unknown default: break
      }
      return .goOn
    }
    if outcome == .interrupted { throw CommandFailure("interrupted before the scan was complete") }
  }
}
