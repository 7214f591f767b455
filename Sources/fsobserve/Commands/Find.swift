import ArgumentParser
import FileIdentity
import FileSystemObservation
import FoundationEssentials
import LinuxFileSystem
import SystemPackage

/// `fsobserve find UUID DIR`.
struct Find: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print where the file with this UUID is now.",
    discussion: """
      The folder is scanned as by scan --no-tag, hidden items included, and what scan lists with this UUID is printed: a file, \
      folder or symbolic link, one that bears no tag too. Hard links make several paths. Where there is none, the exit status is 1.
      """)

  @Argument(help: ArgumentHelp("The UUID.", valueName: "uuid"), completion: .list([]), transform: Parsing.uuid)
  var uuid: UUIDBits

  @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), completion: .directory, transform: Parsing.path)
  var directory: FilePath

  func run() throws {
    let console = Console()
    var (paths, hasHidden) = try search(includesHidden: true) { tell($0, on: console) }
    // Of several bearers of one tag, the original may be hidden: then scan lists another without --hidden.
    if hasHidden { paths.formUnion(try search(includesHidden: false) { _ in }.paths) }
    if paths.isEmpty { throw CommandFailure("\(directory.printable): nothing in it has the UUID \(uuid)") }
    let sorted = paths.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    try console.write(Array(sorted.map { "\($0.printable)\n" }.joined().utf8))
  }

  /// The paths that a scan gives the UUID, and whether it met hidden items.
  private func search(
    includesHidden: Bool, tell: @escaping @Sendable (FileSystemObserver.Diagnostic) -> Void
  ) throws -> (paths: Set<FilePath>, hasHidden: Bool) {
    let run = try ObservationRun()
    let observer = try makeObserver(includesHidden: includesHidden)
    let outcome = try run.perform(observer) { notification in
      switch notification {
      case .didCompleteFullScan: return .finished
      case .diagnostic(let diagnostic): tell(diagnostic)
      case .didEnd(let error): throw error
      case .willBeginFullScan, .didChange, .reset: break
      }
      return .goOn
    }
    if outcome == .interrupted { throw CommandFailure("interrupted before the scan was complete") }
    return result(of: observer)
  }

  private func tell(_ diagnostic: FileSystemObserver.Diagnostic, on console: Console) {
    guard let path = diagnostic.path, let errno = diagnostic.errno else { return console.complain(of: diagnostic) }
    console.complain("\(path.printable): \(errno)")
  }

  private func makeObserver(includesHidden: Bool) throws(CommandFailure) -> FileSystemObserver {
    var configuration = FileSystemObserver.Configuration(directory: try directory.absolute())
    configuration.includesHiddenItems = includesHidden
    configuration.tagging = .never
    // Nothing is to be watched: no marks are taken.
    configuration.backend = .polling
    return FileSystemObserver(configuration)
  }

  private func result(of observer: FileSystemObserver) -> (paths: Set<FilePath>, hasHidden: Bool) {
    let inventory = observer.snapshot()
    let root = inventory.directory
    var paths: Set<FilePath> = []
    var hasHidden = false
    if observer.uuid(forItemAt: root) == UUID(uuid) { paths.insert(directory) }
    for item in inventory {
      if item.path.lastComponent.map({ FileName($0).isHidden }) ?? false { hasHidden = true }
      guard item.uuid == UUID(uuid) else { continue }
      var relative = item.path
      _ = relative.removePrefix(root)
      paths.insert(directory.appending(bytes: relative.bytes))
    }
    return (paths, hasHidden)
  }
}
