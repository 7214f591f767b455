import FileSystemObservation
import Synchronization
import SystemPackage

/// What is told of the folders that are watched, and who is told.
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

  /// What the command line says.
  private struct Options: Sendable {
    var observation: ObservationArguments
    var showsFollowers: Bool
    var isOnce: Bool
    var waitsForRoots: Bool
    var followsRoots: Bool
  }

  init(_ watch: Watch, _ run: ObservationRun) {
    options = Options(
      observation: watch.observation, showsFollowers: watch.movedContents, isOnce: watch.once,
      waitsForRoots: watch.waitForRoot, followsRoots: watch.followRoot)
    let console = console
    progress = ProgressLine(on: console, isWanted: watch.observation.progress)
    state = Mutex(State(lines: LineBuffer(watch.observation.lineFormat) { try console.write($0) }))
    let isOnce = watch.once
    commands = watch.exec.map { command in
      CommandRunner(command, console) { if isOnce { run.finish() } }
    }
  }

  /// Whether there has been a set of changes that is not the first scan.
  var hasSeenChanges: Bool { state.withLock { $0.hasSeenChanges } }

  /// Whether a command that was run has failed.
  var hasFailed: Bool { commands?.hasFailed ?? false }

  /// Makes the observer of a target; nothing where there is nothing yet, and it is waited for.
  func makeObserver(_ number: Int, of target: WatchTarget) throws -> FileSystemObserver? {
    if options.waitsForRoots, !target.exists { return nil }
    let file = target.file
    let directory = file?.removingLastComponent() ?? target.path
    var configuration = options.observation.configuration(of: directory)
    var style = options.observation.style(of: directory)
    style.showsTime = true
    style.showsFollowers = options.showsFollowers
    if options.waitsForRoots { configuration.rootLossPolicy = .waitForReturn }
    if options.followsRoots { configuration.rootLossPolicy = .follow }
    if let file {
      style.file = file
      configuration.depth = 0
      if file.lastComponent?.string.hasPrefix(".") == true { configuration.includesHiddenItems = true }
    }
    state.withLock { $0.reporters[number] = Reporter(style) }
    return FileSystemObserver(configuration)
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
    // With a command, the end of that is the end.
    return options.isOnce && commands == nil ? .finished : .goOn
  }

  /// The run has ended: so has what was run.
  func end(_ outcome: ObservationRun.Outcome) {
    if outcome != .finished { commands?.terminate() }
  }

  private func report(_ event: FileSystemObserver.Event, of number: Int) throws -> Int {
    try state.withLock { state in
      let count = try state.reporters[number]?.tell(event, to: &state.lines) ?? 0
      try state.lines.flush()
      return count
    }
  }

  /// Hands the lines of a set to a command.
  private func hand(_ event: FileSystemObserver.Event, of number: Int) throws -> Int {
    guard case .didChange(let changes) = event else { return 0 }
    let collected = Collected()
    var lines = LineBuffer(JSONLinesFormat()) { collected.append($0) }
    let count = try state.withLock { state in
      let count = try state.reporters[number]?.tell(event, to: &lines) ?? 0
      try lines.flush()
      return count
    }
    if count > 0, !changes.isFirstScan {
      commands?.run(CommandRunner.Batch(changes, count: count, lines: collected.bytes))
    }
    return count
  }
}

/// Bytes that are put together.
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
  /// Tells a diagnostic.
  ///
  /// Where the loss of the folder ends the command, it is told then.
  func complain(of diagnostic: FileSystemObserver.Diagnostic, rootLossIsTheEnd: Bool = true) {
    if diagnostic.code != .rootLost || !rootLossIsTheEnd { complain(diagnostic.message) }
  }
}
