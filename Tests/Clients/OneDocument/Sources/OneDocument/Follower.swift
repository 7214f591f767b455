import FileSystemObservation
import FoundationEssentials

/// Is told of one document, and of nothing else.
struct Follower {
  private let uuid: UUID
  private var events: FileSystemObserver.Events.Iterator

  init(_ observer: FileSystemObserver, _ uuid: UUID) {
    self.uuid = uuid
    events = observer.events(of: .item(uuid)).makeAsyncIterator()
  }

  /// The state comes first: the one document.
  mutating func awaitState(at path: FilePath) async throws {
    guard case .reset(let snapshot, _) = try await events.next() else { fail("the first event is no reset") }
    check(snapshot.map(\.path) == [path], "the state is \(snapshot.map(\.path))")
  }

  /// The next change, which is all that its set contains.
  mutating func await(_ kind: FileSystemChange.Kind, at path: FilePath) async throws {
    while let event = try await events.next() {
      guard case .didChange(let changes) = event else { continue }
      print(changes)
      guard let change = changes.first, changes.count == 1 else { fail("\(changes.count) changes") }
      return check(
        change.uuid == uuid && change.kind == kind && change.path == path,
        "\(change), where it was \(kind) at \(path)")
    }
    fail("the events have ended")
  }

  /// No further change comes.
  mutating func awaitEnd() async throws {
    while let event = try await events.next() {
      if case .didChange(let changes) = event { fail("\(changes)") }
    }
  }
}
