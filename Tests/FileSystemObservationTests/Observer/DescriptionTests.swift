import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// What is printed is for a person: short, however large the tree is, and as true as the names in it allow.
@Suite struct DescriptionTests {
  private typealias Item = FileSystemItem.Snapshot

  private static let directory: FilePath = "/T"
  private static let count = Scale.of(100_000)

  private func item(_ path: FilePath) -> Item {
    Item(uuid: UUID(), relativePath: path, directory: Self.directory)
  }

  private func items(_ count: Int) -> [Item] { (0..<count).map { item(FilePath("document \($0).txt")) } }

  /// What is printed of a value, in each of the ways in which a person may ask for it.
  private func texts(_ value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), "\([value])", "\(value as Any?)", dumped]
  }

  private func lineCount(_ text: String) -> Int { text.split(separator: "\n", omittingEmptySubsequences: false).count }

  @Test(.processor) func aLargeSnapshotIsPrintedInALine() {
    let snapshot = FileSystemSnapshot(items(Self.count), directory: Self.directory)
    let event = FileSystemObserver.Event.reset(snapshot, .initial)
    #expect("\(event)" == "reset (initial): \(Self.count) items in /T")
    for value in [snapshot, event, FileSystemTree(snapshot), snapshot.inPathOrder] as [Any] {
      for text in texts(value) { #expect(text.utf8.count < 2000 && lineCount(text) < 20, "\(text.prefix(500))") }
    }
  }

  @Test(.processor) func ofALargeSetTheFirstChangesArePrinted() {
    let changes = items(Self.count).map { FileSystemChange(.modified, $0) }
    let set = FileSystemChanges(changes, directory: Self.directory, sequence: 7)
    let event = FileSystemObserver.Event.didChange(set)
    #expect("\(event)".hasPrefix("#7: \(Self.count) changes\n  modified document 0.txt "))
    #expect("\(event)".hasSuffix("\n  and \(Self.count - 20) more"))
    for value in [set, event] as [Any] {
      for text in texts(value) { #expect(text.utf8.count < 4000 && lineCount(text) < 50, "\(text.prefix(500))") }
    }
  }

  /// So it is for what an observer makes, which shares its memory.
  @Test(.light) func whatAnObserverGivesIsPrintedInAFewLines() async throws {
    let observed = try await ObservedFolder.begin { folder in
      for number in 0..<500 { try folder.watched.write("\(number)") }
    }
    let mark = observed.recorder.position
    try observed.root.mkdir("d")
    try observed.root.rename("d", "e")
    await observed.observer.synchronize()
    let events = observed.recorder.entries.map(\.event)
    #expect(mark < events.count && events.contains { "\($0)".contains("500 changes") })
    for event in events {
      for text in texts(event) { #expect(text.utf8.count < 4000 && lineCount(text) < 50, "\(text.prefix(500))") }
    }
  }

  private static let evil = FilePath("a\n#8: 1 change\n  deleted (removed) b\u{1b}[2J\u{202e}\r\u{85}\u{2028}\u{7}")

  private static let evilDirectory = FilePath("/").pushing(evil)

  private var evilChanges: [FileSystemChange] {
    let item = item(Self.evil), other = Self.directory.pushing("was").pushing(Self.evil)
    let events: [FileSystemChange.Event] = [
      .discovered(isCopying: true, isReturned: true), .renamed(from: other), .moved(from: other),
      .duplicated(of: .init(uuid: UUID(), path: other)), .deleted(.removed),
      .attributesChanged(.init(names: ["user.a\nb\u{1b}"])),
    ]
    return events.map { FileSystemChange($0, item) }
  }

  /// Whether a text has something in it that forges a line or commands a terminal.
  private func isForged(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      let category = scalar.properties.generalCategory
      return category == .control || category == .lineSeparator || scalar.properties.isBidiControl
    }
  }

  @Test(.light) func noFileNameForgesALine() {
    for change in evilChanges { #expect(!isForged("\(change)")) }
    let set = FileSystemChanges(evilChanges, directory: Self.evilDirectory)
    #expect(lineCount("\(FileSystemObserver.Event.didChange(set))") == evilChanges.count + 1)
    #expect(!isForged("\(item(Self.evil))"))
    let snapshot = FileSystemSnapshot([item(Self.evil)], directory: Self.evilDirectory)
    let diagnostic = FileSystemObserver.Diagnostic(code: .rootLost, message: Self.evil.string, path: Self.evil)
    let error = FileSystemObserverError(code: .rootLost, message: Self.evil.string, path: Self.evil)
    let events: [FileSystemObserver.Event] = [
      .reset(snapshot, .resumed), .rootMoved(from: Self.evil, to: Self.evil), .diagnostic(diagnostic), .didEnd(error),
    ]
    for event in events { #expect(!isForged("\(event)")) }
    #expect(!isForged("\(FileSystemObserver(directory: Self.evilDirectory))"))
    #expect(!isForged("\(FileSystemTree(snapshot))"))
  }
}
