import ArgumentParser
import FileSystemObservation
import SystemPackage

#if Store
import ObservationStore
#endif

/// The source of the events.
enum EventSourceChoice: String, WordArgument {
  case auto, fanotify, inotify, polling

  /// The library's value.
  var backend: FileSystemObserver.Backend {
    switch self {
    case .auto: .automatic
    case .fanotify: .fanotify
    case .inotify: .inotify
    case .polling: .polling
    }
  }
}

#if Store
/// Whose contents are evidence of identity.
enum ContentChoice: String, WordArgument {
  case off, documents, all

  /// The library's value.
  var evidence: FileSystemObserver.ContentEvidence {
    switch self {
    case .off: .off
    case .documents: .documents
    case .all: .all
    }
  }
}
#endif

/// The form of the printed lines.
enum OutputFormat: String, WordArgument {
  case text, jsonl
}

/// The options that `scan` and `watch` share: how to observe folders.
struct ObservationArguments: ParsableArguments {
  static let aboutPatterns = """
    The patterns of --exclude and --include are those of gitignore(5): *, ?, [a-z], and ** for any folders. One without a \
    slash is about names; one that begins with a slash, or has one in the middle, about paths below the folder; one that \
    ends with a slash about folders only. The last that matches decides, and one that begins with ! takes out. Nothing \
    below an excluded folder is shown; of files, what is included is shown, and what is below an included folder.
    """

  @Option(
    help: ArgumentHelp("Leave out what matches, as in gitignore(5). May be repeated.", valueName: "pattern"),
    transform: Parsing.pattern)
  var exclude: [String] = []

  @Option(
    help: ArgumentHelp("Of files, show only what matches, or what is below. May be repeated.", valueName: "pattern"),
    transform: Parsing.pattern)
  var include: [String] = []

  // Unconditional, so that a negative number is not taken for an option.
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

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Unwritten so long counts as complete (default: 0.7).", valueName: "seconds"),
    transform: Parsing.seconds)
  var quietPeriod: Duration?

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

  @Flag(help: "Print paths below the folder instead of absolute ones.")
  var relative = false

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "End lines of text in NUL, and write paths as they are, for xargs -0.")
  var null = false

  #if Store
  @Option(
    help: ArgumentHelp(
      "Keep the folder's tree in FILE between runs, and begin with what happened since.", valueName: "file"),
    completion: .file(), transform: Parsing.path)
  var store: FilePath?

  @Flag(
    help: """
      With --store: go on from it although the folder is not known as its own: the documents are in this one now, each \
      at its path.
      """)
  var takeOverStore = false

  @Option(
    help: ArgumentHelp(
      "With --store: know files without tags by their contents, and read them for that: off, documents (up to 16 MiB) or all (default: off).",
      valueName: "which"),
    completion: ContentChoice.completion, transform: Parsing.word)
  var content: ContentChoice = .off
  #endif

  @Flag(help: "Observe the folders as one tree: what moves from one to another keeps its UUID.")
  var together = false

  @Flag(help: "Show on standard error how far a scan has come, even if that is no terminal.")
  var progress = false
}

// MARK: - Their meaning

extension ObservationArguments {
  /// Refuses contradictory options.
  func check(_ paths: [FilePath]) throws(ValidationError) {
    if null, format == .jsonl { throw ValidationError("--null is for lines of text: JSON needs no NUL") }
    #if Store
    if store != nil, paths.count > 1, !together {
      throw ValidationError("--store is for one folder: give each one of its own, or add --together")
    }
    if takeOverStore, store == nil {
      throw ValidationError("--take-over-store needs --store FILE: which to go on from")
    }
    if content != .off, store == nil {
      throw ValidationError("--content needs --store FILE, where the digests of contents are kept")
    }
    #endif
    if together, levels != nil { throw ValidationError("--levels is for one folder, not for several --together") }
  }

  /// The absolute forms of paths.
  ///
  /// - Throws: If one of several paths does not exist, so that this is reported before any scan and tagging. The
  ///   observer reports a single one.
  static func absolutePaths(
    _ given: [FilePath], mayBeFiles: Bool = false, mayBeMissing: Bool = false
  ) throws(CommandFailure) -> [FilePath] {
    var paths: [FilePath] = []
    for path in given { paths.append(try path.absolute().lexicallyNormalized()) }
    if mayBeMissing || paths.count == 1 { return paths }
    for path in paths {
      switch WatchTarget(path: path).look() {
      case .missing: throw CommandFailure(path, .noSuchFileOrDirectory)
      case .file where !mayBeFiles: throw CommandFailure(path, .notDirectory)
      case .file, .other: break
      }
    }
    return paths
  }

  /// The form of the lines.
  var lineFormat: any LineFormat {
    switch format {
    case .text: TextFormat(endsInNUL: null)
    case .jsonl: JSONLinesFormat()
    }
  }

  /// The configurations of the folders, or the one of all of them together.
  func configurations(of directories: [FilePath]) -> [FileSystemObserver.Configuration] {
    if !together { return directories.map(configuration) }
    var configuration = FileSystemObserver.Configuration(directories: directories)
    set(&configuration)
    return [configuration]
  }

  /// What the lines of a folder show, which may be one of several.
  func style(of directory: FilePath, isOneOfSeveral: Bool) -> Reporter.Style {
    Reporter.Style(root: isOneOfSeveral && !together ? directory : nil, base: relative ? directory : nil)
  }

  /// The observer of a folder, with the store if one is named.
  func observer(_ configuration: FileSystemObserver.Configuration) throws -> FileSystemObserver {
    #if Store
    if let store {
      return FileSystemObserver(
        configuration, store: try ObservationStore(at: try store.absolute()), takesOverStore: takeOverStore)
    }
    #endif
    return FileSystemObserver(configuration)
  }

  /// Whether contents are read.
  var readsContents: Bool {
    #if Store
    return content != .off
    #else
    return false
    #endif
  }

  /// How a folder is observed.
  func configuration(of directory: FilePath) -> FileSystemObserver.Configuration {
    var configuration = FileSystemObserver.Configuration(directory: directory)
    set(&configuration)
    return configuration
  }

  private func set(_ configuration: inout FileSystemObserver.Configuration) {
    configuration.includesHiddenItems = hidden
    configuration.tagging = noTag ? .never : .always
    configuration.tagsFilesOfLowerLayers = tagLower
    configuration.backend = source.backend
    configuration.excludedPatterns = exclude
    configuration.includedPatterns = include
    configuration.depth = levels
    #if Store
    configuration.contentEvidence = content.evidence
    #endif
    if let settle { configuration.deletionDelay = settle }
    if let quietPeriod { configuration.quietPeriod = quietPeriod }
  }
}
