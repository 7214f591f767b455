import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import TestTraits
import Testing

/// Latency is paid only where there is doubt.
@Suite(.alone, .undisturbed, .enabled(if: TestSource.seesEveryStep, "polling looks twice a second at most"))
struct LatencyTests {
  /// What a busy machine may add.
  private static let slack = Duration.milliseconds(400)

  /// Does something, and says how long it took until a change of this kind was told.
  private func time(
    _ kind: FileSystemChange.Kind, in observed: ObservedFolder, when act: (Folder) throws -> Void
  ) async throws -> Duration {
    let mark = observed.recorder.position
    try act(observed.root)
    let start = Moment.now
    let index = try await observed.recorder.await("\(kind)", from: mark) { notification in
      guard case .didChange(let set) = notification else { return false }
      return set.contains { $0.kind == kind }
    }
    return observed.recorder.entries[index].time - start
  }

  private func observed() async throws -> ObservedFolder {
    try await ObservedFolder.begin {
      try $0.watched.mkdir("sub")
      try $0.watched.write("a.txt")
    }
  }

  @Test func renamesAndMovesAreToldAtOnce() async throws {
    let observed = try await observed()
    #expect(try await time(.renamed, in: observed) { try $0.rename("a.txt", "b.txt") } < Self.slack)
    #expect(try await time(.moved, in: observed) { try $0.rename("b.txt", "sub/b.txt") } < Self.slack)
    #expect(try await time(.discovered, in: observed) { try $0.mkdir("new") } < Self.slack)
  }

  @Test func finishedFilesAreToldAfterTheQuietPeriod() async throws {
    let observed = try await observed()
    let quiet = observed.observer.configuration.quietPeriod
    let new = try await time(.copyFinished, in: observed) { try $0.write("new.txt") }
    #expect(new >= quiet - .milliseconds(50) && new < quiet + Self.slack, "\(new)")
    let saved = try await time(.modified, in: observed) { try $0.append("a.txt") }
    #expect(saved >= quiet - .milliseconds(50) && saved < quiet + Self.slack, "\(saved)")
  }

  @Test func deletionsAreToldAfterTheSettleWindow() async throws {
    let observed = try await observed()
    let settle = observed.observer.configuration.deletionDelay
    let gone = try await time(.deleted, in: observed) { try $0.unlink("a.txt") }
    #expect(gone >= settle - .milliseconds(50) && gone < settle + Self.slack, "\(gone)")
  }

  @Test func windowsCanBeChosen() async throws {
    var options = FileSystemObserver.Configuration()
    options.deletionDelay = .milliseconds(100)
    options.quietPeriod = .milliseconds(100)
    options.announcementDelay = .milliseconds(200)
    let observed = try await ObservedFolder.begin(options: options) { try $0.watched.write("a.txt") }
    #expect(try await time(.copyFinished, in: observed) { try $0.write("new.txt") } < .milliseconds(100) + Self.slack)
    #expect(try await time(.deleted, in: observed) { try $0.unlink("a.txt") } < .milliseconds(100) + Self.slack)
  }

  /// All is announced after the next look.
  @Test func windowsMayBeZero() async throws {
    var options = FileSystemObserver.Configuration()
    (options.deletionDelay, options.quietPeriod) = (.zero, .zero)
    let observed = try await ObservedFolder.begin(options: options) { folder in
      try folder.watched.mkdir("d")
      for name in ["a.txt", "b.txt"] { try folder.watched.write(name) }
    }
    try await observed.saysExactly(
      ["renamed a.txt -> d.txt", "deleted(removed) b.txt", "discovered new.txt", "copyFinished new.txt"], order: .any
    ) { root in
      try root.rename("a.txt", "d.txt")
      try root.unlink("b.txt")
      try root.write("new.txt")
    }
    try await observed.saysExactly(["modified d.txt"]) { try $0.append("d.txt") }
  }

  /// Then files are announced while they are written, and as often as they are looked at.
  @Test func allWindowsMayBeZero() async throws {
    var options = FileSystemObserver.Configuration()
    (options.deletionDelay, options.quietPeriod) = (.zero, .zero)
    (options.announcementDelay, options.modificationInterval) = (.zero, .zero)
    let observed = try await ObservedFolder.begin(options: options) { try $0.watched.write("a.txt") }
    try observed.root.append("a.txt")
    try observed.root.write("new.txt")
    try observed.root.mkdir("d")
    try observed.root.unlink("a.txt")
    #expect(try await observed.differencesInTheEnd() == [])
  }
}
