import ArgumentParser
import FileSystemObservation
import SystemPackage

/// `fsobserve watch PATH…`.
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print what happens in a folder, one line per change, until interrupted.",
    discussion: """
      First everything is scanned and printed as discovered, then each change as it happens. The lines of one change set are \
      written at once. SIGINT and SIGTERM end the command with status 0, and so does a reader that goes away.

      Of a file, the folder that it is in is observed, but nothing below that, and what happens to the file is printed, wherever \
      in the folder it goes, and to what takes its place.

      With --exec, nothing is printed here: the command gets the JSON lines of a set of changes on its standard input, and \
      FSOBSERVE_ROOT, FSOBSERVE_SEQ, FSOBSERVE_COUNT and FSOBSERVE_CURSOR in its environment. What the first scan finds is \
      not handed to it. Sets that come while it runs are handed to it together when it has ended.

      With --record, the observer's last steps are written to a file when the command ends, and at once on SIGUSR1: what \
      came in, what was looked at, and what was decided and why. Send it with a report of a wrong line. It reveals names \
      and paths, and no contents; --hide-names puts hashes in their place.

      \(ObservationArguments.aboutPatterns)

      EXAMPLES:
        What happened since the last time, and then what happens:
            fsobserve watch ~/Documents --store ~/documents.store
        A notice of each set of changes:
            fsobserve watch ~/Notes --exec 'notify-send "$FSOBSERVE_COUNT changes"'
        Wait ten minutes at most for the next change:
            fsobserve watch ~/Downloads --once --timeout 600
        A single file, through renames and saves:
            fsobserve watch ~/Documents/letter.txt
      """)

  @Argument(
    help: ArgumentHelp("The folders, or single files.", valueName: "path"), completion: .file(),
    transform: Parsing.path)
  var paths: [FilePath]

  @OptionGroup var observation: ObservationArguments

  @Flag(
    name: .customLong("moved-contents"), help: "Of a moved folder, list what is below it too: a line for each item.")
  var movedContents = false

  #if Store
  @Option(
    help: ArgumentHelp(
      "With --store: print first what came after this cursor, as JSON lines have one.", valueName: "cursor"),
    transform: Parsing.cursor)
  var since: FileSystemObserver.Cursor?
  #endif

  @Flag(help: "End after the first set of changes that is not the first scan.")
  var once = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End after so long; the exit status is 124 if --once saw nothing.", valueName: "seconds"),
    transform: Parsing.longSeconds)
  var timeout: Duration?

  @Option(
    help: ArgumentHelp("Run sh -c COMMAND for each set of changes, one at a time.", valueName: "command"),
    transform: Parsing.command)
  var exec: String?

  @Option(
    help: ArgumentHelp("Write what was seen and decided to FILE at the end, and on SIGUSR1.", valueName: "file"),
    completion: .file(), transform: Parsing.path)
  var record: FilePath?

  @Flag(help: "With --record: hashes instead of names.")
  var hideNames = false

  @Flag(help: "Wait until the folder or file is there, and again when the folder is lost.")
  var waitForRoot = false

  @Flag(help: "When the folder is renamed or moved, go on with it where it is then.")
  var followRoot = false

  func validate() throws {
    try observation.check(paths)
    if observation.together, followRoot || waitForRoot {
      throw ValidationError(
        "--follow-root and --wait-for-root are for single folders; --together waits for each anyway")
    }
    if followRoot, waitForRoot {
      throw ValidationError("--follow-root and --wait-for-root contradict each other: go on, or wait?")
    }
    #if Store
    if since != nil, observation.store == nil {
      throw ValidationError("--since is for the store that knows the cursor: name it with --store")
    }
    #endif
    if hideNames, record == nil { throw ValidationError("--hide-names is for the file of --record: name one") }
  }

  func run() throws {
    ProcessSetup.returnFreedMemory()
    let file = try record.map { path throws(CommandFailure) in try RecordingFile(path, hidingNames: hideNames) }
    let run = try ObservationRun(takesRequests: file != nil)
    let session = WatchSession(self, run, file)
    let makers = try makers(session)
    let terms = ObservationRun.Terms(
      start: start, waitsForRoots: waitForRoot, limit: timeout, save: { file?.save() })
    let result = Result { try run.perform(makers, terms) { number, _, event in try session.take(event, of: number) } }
    let written = Result { try file?.write() }
    let outcome = try result.get()
    try written.get()
    session.end(outcome)
    if outcome == .timedOut, once, !session.hasSeenChanges { throw ExitCode(Self.statusOfNothing) }
    if once, session.hasFailed { throw ExitCode.failure }
  }

  private func makers(_ session: WatchSession) throws -> [ObservationRun.Maker] {
    let paths = try ObservationArguments.absolutePaths(
      paths, mayBeFiles: !observation.together, mayBeMissing: waitForRoot || observation.together)
    if observation.together { return [{ try session.makeObserver(of: paths) }] }
    return paths.map(WatchTarget.init).enumerated().map { number, target in
      { try session.makeObserver(number, of: target) }
    }
  }

  /// Where the lines begin.
  private var start: FileSystemObserver.Start {
    #if Store
    if let since { return .after(since) }
    #endif
    return .now
  }

  /// As in timeout(1).
  private static let statusOfNothing: Int32 = 124
}
