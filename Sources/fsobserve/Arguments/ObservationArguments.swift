import ArgumentParser
import FileSystemObservation
import SystemPackage

/// Where the events come from.
enum EventSourceChoice: String, WordArgument {
  case auto, fanotify, inotify, polling

  /// What the library calls it.
  var backend: FileSystemObserver.Backend {
    switch self {
    case .auto: .automatic
    case .fanotify: .fanotify
    case .inotify: .inotify
    case .polling: .polling
    }
  }
}

/// In which form the lines are printed.
enum OutputFormat: String, WordArgument {
  case text, jsonl

  var lineFormat: any LineFormat {
    switch self {
    case .text: TextFormat()
    case .jsonl: JSONLinesFormat()
    }
  }
}

/// What `scan` and `watch` have in common: the folder, and how it is observed.
struct ObservationArguments: ParsableArguments {
  @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), completion: .directory, transform: Parsing.path)
  var directory: FilePath

  @Option(
    help: ArgumentHelp("Leave out what matches, as in gitignore(5). May be repeated.", valueName: "pattern"),
    transform: Parsing.pattern)
  var exclude: [String] = []

  @Option(
    help: ArgumentHelp("Of files, show only what matches, or what is below. May be repeated.", valueName: "pattern"),
    transform: Parsing.pattern)
  var include: [String] = []

  // A number may be negative by mistake: it is not to be taken for an option then.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Look into folders so many levels deep, 0 into none.", valueName: "n"),
    transform: Parsing.levels)
  var levels: Int?

  @Flag(help: "Include names that begin with a dot.")
  var hidden = false

  @Option(
    help: ArgumentHelp(
      "Where events come from: auto, fanotify, inotify or polling (default: auto).", valueName: "source"),
    completion: EventSourceChoice.completion, transform: Parsing.word)
  var source: EventSourceChoice = .auto

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Gone so long counts as deleted (default: 0.5).", valueName: "seconds"),
    transform: Parsing.seconds)
  var settle: Duration?

  @Flag(name: .customLong("no-tag"), help: "Write no tags: change nothing on disk.")
  var noTag = false

  @Flag(
    name: .customLong("tag-lower"),
    help: "On overlay file systems, tag files of lower layers too, which copies them into the upper layer.")
  var tagLower = false

  @Option(
    help: ArgumentHelp("Lines for people (text), or a JSON object each (jsonl); default: text.", valueName: "format"),
    completion: OutputFormat.completion, transform: Parsing.word)
  var format: OutputFormat = .text

  /// An observer as the arguments want it, not started.
  func makeObserver() throws(CommandFailure) -> FileSystemObserver {
    var configuration = FileSystemObserver.Configuration(directory: try directory.absolute())
    configuration.includesHiddenItems = hidden
    configuration.tagging = noTag ? .never : .always
    configuration.tagsFilesOfLowerLayers = tagLower
    configuration.backend = source.backend
    configuration.excludedPatterns = exclude
    configuration.includedPatterns = include
    configuration.depth = levels
    if let settle { configuration.deletionDelay = settle }
    return FileSystemObserver(configuration)
  }
}
