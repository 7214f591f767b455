#if Store
import FileTestSupport
import Foundation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// A folder that is observed in several runs with one store, and whose contents are evidence.
struct StoredFolder {
  let scratch: ScratchFolder
  let store: ObservationStore
  var evidence = FileSystemObserver.ContentEvidence.documents
  var folder: FilePath { scratch.path("documents") }

  init() throws {
    scratch = try ScratchFolder()
    store = try ObservationStore(at: scratch.path("state/store"))
    try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
  }

  // MARK: - Files

  func path(_ name: String) -> String { folder.appending(name).string }

  /// A text that is long enough to be evidence, another one for each seed.
  func text(_ seed: String) -> String { String(repeating: "This is about \(seed). ", count: 20) }

  func write(_ name: String, _ seed: String) throws {
    let url = URL(filePath: path(name))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try PlainFiles.write(text(seed).utf8, to: FilePath(path(name)))
  }

  /// Runs a shell in the folder.
  func shell(_ command: String) throws { try Command.run("sh", "-c", "cd '\(folder.string)' && \(command)") }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  /// Makes what is on disk older than any window.
  func rest() throws { try shell("find . -exec touch -d '1 hour ago' {} +") }

  // MARK: - Runs

  /// Starts an observer; everything that it announces until its scan is complete.
  func started(_ observer: FileSystemObserver) async throws -> [FileSystemObserver.Event] {
    let events = observer.events(startingWith: .now)
    try await observer.start()
    var (seen, isScanned): ([FileSystemObserver.Event], Bool) = ([], false)
    for try await event in events {
      seen.append(event)
      if case .didCompleteFullScan = event { isScanned = true }
      // A process that other tests start may hold a file open for a moment; it is not read then.
      if isScanned, !observer.snapshot().contains(where: \.isCopying) { break }
    }
    return seen
  }

  var configuration: FileSystemObserver.Configuration {
    var configuration = FileSystemObserver.Configuration(directory: folder)
    configuration.warnsWithoutListeners = false
    configuration.contentEvidence = evidence
    return configuration
  }

  /// Runs an observer until all contents are read; everything that it announces, and its tree in the end.
  @discardableResult
  func run(
    then body: (FileSystemObserver) async throws -> Void = { _ in }
  ) async throws -> (said: [String], snapshot: FileSystemSnapshot) {
    let observer = FileSystemObserver(configuration, store: store)
    let seen = try await started(observer)
    await observer.readContents()
    try await body(observer)
    let snapshot = observer.snapshot()
    await observer.stop()
    return (said(seen), snapshot)
  }

  /// Changes in a few words, but for the ends of copies.
  func said(_ events: [FileSystemObserver.Event]) -> [String] {
    events.flatMap { event -> [String] in
      guard case .didChange(let changes) = event else { return [] }
      return changes.filter { $0.kind != .copyFinished }.map(said)
    }.sorted()
  }

  func said(_ change: FileSystemChange) -> String {
    let name = change.item.relativePath.string
    if let previous = change.previousPath { return "\(change.kind) \(relative(previous)) -> \(name)" }
    if let original = change.original { return "\(change.kind) \(relative(original.path)) => \(name)" }
    return "\(change.kind) \(name)"
  }

  private func relative(_ path: FilePath) -> String { String(path.string.dropFirst(folder.string.count + 1)) }

  func uuid(_ name: String, in snapshot: FileSystemSnapshot) throws -> UUID {
    try #require(snapshot[folder.appending(name)]).uuid
  }
}
#endif
