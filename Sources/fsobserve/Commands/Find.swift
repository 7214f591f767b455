import ArgumentParser
import FileSystemObservation
import FoundationEssentials
import SystemPackage

/// `fsobserve find UUID DIR`.
struct Find: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print where the file with this UUID is now.",
    discussion: """
      The folder is scanned as by scan --no-tag, hidden items included, and what scan lists with this UUID is printed: a file, \
      folder or symbolic link, one that bears no tag too. Hard links make several paths. Where there is none, the exit status is 1.

      EXAMPLES:
        Where a file is now:
            fsobserve find "$(fsobserve id letter.txt | cut -c -36)" ~/Documents
      """)

  @Argument(help: ArgumentHelp("The UUID.", valueName: "uuid"), completion: .list([]), transform: Parsing.uuid)
  var uuid: UUID

  @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), completion: .directory, transform: Parsing.path)
  var directory: FilePath

  @OptionGroup var answer: AnswerArguments

  func run() throws {
    let console = Console()
    var (paths, hasHidden) = try search(includesHidden: true) { complain(of: $0, on: console) }
    // If several items have one tag, the original may be hidden. Then scan without --hidden lists another.
    if hasHidden { paths.formUnion(try search(includesHidden: false) { _ in }.paths) }
    if paths.isEmpty { throw CommandFailure("\(directory.printable): nothing in it has the UUID \(uuid.text)") }
    let sorted = paths.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    try console.write(sorted.flatMap(line))
  }

  private func line(for path: FilePath) -> [UInt8] {
    switch answer.format {
    case .text: return Array("\(path.printable)\n".utf8)
    case .json:
      var object = JSONObject()
      object.add("uuid", uuid.text)
      object.add("path", path)
      return object.finished() + [UInt8(ascii: "\n")]
    }
  }

  /// The paths that have the UUID in a scan, and whether the scan found hidden items.
  private func search(
    includesHidden: Bool, complain: @escaping @Sendable (FileSystemObserver.Diagnostic) -> Void
  ) throws -> (paths: Set<FilePath>, hasHidden: Bool) {
    let run = try ObservationRun()
    let observer = try makeObserver(includesHidden: includesHidden)
    let outcome = try run.perform([{ observer }]) { _, _, event in
      switch event {
      case .didCompleteFullScan: return .finished
      case .diagnostic(let diagnostic): complain(diagnostic)
      case .didEnd(let error): throw error
      case .willBeginFullScan, .scanProgress, .didChange, .reset, .rootMoved: break
      @unknown default: break
      }
      return .goOn
    }
    if outcome != .finished { throw CommandFailure("interrupted before the scan was complete") }
    return result(of: observer)
  }

  private func complain(of diagnostic: FileSystemObserver.Diagnostic, on console: Console) {
    guard let path = diagnostic.path, let errno = diagnostic.errno else { return console.complain(of: diagnostic) }
    console.complain("\(path.printable): \(errno)")
  }

  private func makeObserver(includesHidden: Bool) throws(CommandFailure) -> FileSystemObserver {
    var configuration = FileSystemObserver.Configuration(directory: try directory.absolute())
    configuration.includesHiddenItems = includesHidden
    configuration.tagging = .never
    // Polling, so that no marks are used: nothing is watched.
    configuration.backend = .polling
    return FileSystemObserver(configuration)
  }

  private func result(of observer: FileSystemObserver) -> (paths: Set<FilePath>, hasHidden: Bool) {
    let inventory = observer.snapshot()
    let root = inventory.directory
    var paths: Set<FilePath> = []
    var hasHidden = false
    if observer.uuid(forItemAt: root) == uuid { paths.insert(directory) }
    for item in inventory {
      if item.name.hasPrefix(".") { hasHidden = true }
      if item.uuid == uuid { paths.insert(directory.pushing(item.relativePath)) }
    }
    return (paths, hasHidden)
  }
}
