#if Store
import ArgumentParser
import FileSystemObservation
import FoundationEssentials
import ObservationStore
import SystemPackage

/// `fsobserve log DIR --store FILE`.
struct Log: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print what has happened in a folder, from the store of its observer.",
    discussion: """
      A line for each change, the oldest first, as watch prints them, with the time at which it was announced. Nothing is \
      scanned, and an observer may be writing to the store. What a first scan finds is not in the store's log. Of an item \
      (--item), the changes that made copies of it are printed too.

      Where the store does not have all changes since a cursor any more, the exit status is 1.

      EXAMPLES:
        All that the store has:
            fsobserve log ~/Documents --store ~/documents.store
        The life of one document:
            uuid=$(fsobserve id letter.txt | cut -c -36)
            fsobserve log ~/Documents --store ~/documents.store --item $uuid
      """)

  @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), completion: .directory, transform: Parsing.path)
  var directory: FilePath

  @Option(
    help: ArgumentHelp("The store of scan --store or watch --store, or of an app.", valueName: "file"),
    completion: .file(), transform: Parsing.path)
  var store: FilePath

  @Option(
    help: ArgumentHelp("Print only what came after this cursor.", valueName: "cursor"), transform: Parsing.cursor)
  var since: FileSystemObserver.Cursor?

  @Option(help: ArgumentHelp("Print only the changes of this item.", valueName: "uuid"), transform: Parsing.uuid)
  var item: UUID?

  @Option(
    help: ArgumentHelp("Lines for people (text), or a JSON object each (jsonl); default: text.", valueName: "format"),
    completion: OutputFormat.completion, transform: Parsing.word)
  var format: OutputFormat = .text

  func run() throws {
    let store = try ObservationStore(at: try store.absolute().lexicallyNormalized())
    try check(store)
    let console = Console()
    var lines = LineBuffer(format == .text ? TextFormat(showsTime: true) : JSONLinesFormat()) { try console.write($0) }
    var last: FileSystemObserver.HistoryEntry?
    try store.forEachChange(since: since) { entry in
      guard isWanted(entry.change) else { return }
      if let last {
        try lines.append(.change(last.change), LineContext(last, endsSet: last.sequence != entry.sequence))
      }
      last = entry
    }
    if let last { try lines.append(.change(last.change), LineContext(last, endsSet: true)) }
    try lines.flush()
  }

  private func isWanted(_ change: FileSystemChange) -> Bool {
    item == nil || change.uuid == item || change.original?.uuid == item
  }

  /// The folder must be the one whose changes the store has, wherever it is by now.
  private func check(_ store: ObservationStore) throws {
    let (known, named) = (try store.directory(), try directory.absolute().lexicallyNormalized())
    guard known != named, let resolved = known.resolved, resolved != named.resolved else { return }
    throw CommandFailure("\(store.path.printable) is of another folder, \(known.printable)")
  }
}

extension LineContext {
  /// The line of a change in the store.
  fileprivate init(_ entry: FileSystemObserver.HistoryEntry, endsSet: Bool) {
    sequence = entry.sequence
    time = Int64(entry.date.timeIntervalSince1970 * 1e9)
    if endsSet { cursor = entry.cursor }
  }
}
#endif
