import FileSystemObservation
import Synchronization
import SystemPackage

/// Reports the events of the watched folders: as lines, or to a command.
final class WatchSession: Sendable {
  private struct State {
    var reporters: [Int: Reporter] = [:]
    var lines: LineBuffer
    var hasSeenChanges = false
  }

  private let options: Options
  private let console = Console()
  private let progress: ProgressLine
  private let state: Mutex<State>
  private let commands: CommandRunner?
  private let recording: RecordingFile?

  /// The options of the command line.
  private struct Options: Sendable {
    var observation: ObservationArguments
    var hasSeveralPaths: Bool
    var showsFollowers: Bool
    var isOnce: Bool
    var waitsForRoots: Bool
    var followsRoots: Bool
  }

  init(_ watch: Watch, _ run: ObservationRun, _ recording: RecordingFile? = nil) {
    self.recording = recording
    options = Options(
      observation: watch.observation, hasSeveralPaths: watch.paths.count > 1, showsFollowers: watch.movedContents,
      isOnce: watch.once,
      waitsForRoots: watch.waitForRoot, followsRoots: watch.followRoot)
    let console = console
    progress = ProgressLine(on: console, isWanted: watch.observation.progress)
    state = Mutex(State(lines: LineBuffer(watch.observation.lineFormat) { try console.write($0) }))
    let isOnce = watch.once
    commands = watch.exec.map { command in
      CommandRunner(command, console) { if isOnce { run.finish() } }
    }
  }

  /// Whether there was a change set besides the first scan.
  var hasSeenChanges: Bool { state.withLock { $0.hasSeenChanges } }

  /// Whether a run of the command has failed.
  var hasFailed: Bool { commands?.hasFailed ?? false }

  /// Makes the observer of several folders together.
  func makeObserver(of directories: [FilePath]) throws -> FileSystemObserver? {
    guard let configuration = options.observation.configurations(of: directories).first else { return nil }
    return try makeObserver(0, configuration, style(of: configuration.directory))
  }

  /// Makes the observer of a target; `nil` if the target does not exist yet and is waited for.
  func makeObserver(_ number: Int, of target: WatchTarget) throws -> FileSystemObserver? {
    var file: FilePath?
    switch target.look() {
    case .missing where options.waitsForRoots: return nil
    case .file(let path): file = path
    case .missing, .other: break
    }
    let directory = file?.removingLastComponent() ?? target.path
    var configuration = options.observation.configuration(of: directory)
    var style = style(of: directory)
    if options.waitsForRoots { configuration.rootLossPolicy = .waitForReturn }
    if options.followsRoots { configuration.rootLossPolicy = .follow }
    if let file {
      style.file = file
      configuration.depth = 0
      if file.lastComponent?.string.hasPrefix(".") == true { configuration.includesHiddenItems = true }
    }
    return try makeObserver(number, configuration, style)
  }

  private func style(of directory: FilePath) -> Reporter.Style {
    options.observation.style(of: directory, isOneOfSeveral: options.hasSeveralPaths)
  }

  private func makeObserver(
    _ number: Int, _ configuration: FileSystemObserver.Configuration, _ style: Reporter.Style
  ) throws -> FileSystemObserver {
    var (configuration, style) = (configuration, style)
    style.showsTime = true
    style.showsFollowers = options.showsFollowers
    state.withLock { $0.reporters[number] = Reporter(style) }
    configuration.keepsFlightRecording = recording != nil
    let observer = try options.observation.observer(configuration)
    recording?.insert(observer, number)
    return observer
  }

  /// Takes an event of an observer.
  func take(_ event: FileSystemObserver.Event, of number: Int) throws -> ObservationRun.Verdict {
    progress.follow(event)
    let count = try commands == nil ? report(event, of: number) : hand(event, of: number)
    if case .diagnostic(let diagnostic) = event {
      console.complain(of: diagnostic, rootLossIsTheEnd: !options.waitsForRoots)
    }
    if case .didEnd(let error) = event { throw error }
    guard case .didChange(let changes) = event, !changes.isFirstScan, count > 0 else { return .goOn }
    state.withLock { $0.hasSeenChanges = true }
    // With a command, the run ends when the command does.
    return options.isOnce && commands == nil ? .finished : .goOn
  }

  /// Ends the running command if the run was interrupted or timed out.
  func end(_ outcome: ObservationRun.Outcome) {
    if outcome != .finished { commands?.terminate() }
  }

  private func report(_ event: FileSystemObserver.Event, of number: Int) throws -> Int {
    try state.withLock { state in
      let count = try state.reporters[number]?.report(event, to: &state.lines) ?? 0
      try state.lines.flush()
      return count
    }
  }

  /// Passes the lines of a change set to a command.
  private func hand(_ event: FileSystemObserver.Event, of number: Int) throws -> Int {
    guard case .didChange(let changes) = event else { return 0 }
    let collected = Collected()
    var lines = LineBuffer(JSONLinesFormat()) { collected.append($0) }
    let count = try state.withLock { state in
      let count = try state.reporters[number]?.report(event, to: &lines) ?? 0
      try lines.flush()
      return count
    }
    if count > 0, !changes.isFirstScan {
      commands?.run(CommandRunner.Batch(changes, count: count, lines: collected.bytes))
    }
    return count
  }
}

/// Collects bytes.
private final class Collected: Sendable {
  private let all = Mutex<[UInt8]>([])

  var bytes: [UInt8] { all.withLock { $0 } }

  func append(_ bytes: [UInt8]) { all.withLock { $0 += bytes } }
}

extension ProgressLine {
  /// Starts and ends with the scan.
  func follow(_ event: FileSystemObserver.Event) {
    switch event {
    case .willBeginFullScan: start()
    case .scanProgress(let scan): note(scan)
    case .didCompleteFullScan, .didEnd: finish()
    case .didChange, .reset, .rootMoved, .diagnostic: break
    @unknown default: break
    }
  }
}

extension Console {
  /// Prints a diagnostic.
  ///
  /// If losing the folder ends the command, the error at the end reports the loss instead.
  func complain(of diagnostic: FileSystemObserver.Diagnostic, rootLossIsTheEnd: Bool = true) {
    if diagnostic.code != .rootLost || !rootLossIsTheEnd { complain(diagnostic.message) }
  }
}
