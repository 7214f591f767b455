import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import Testing

extension ObservedFolder {
  /// Whether what is said has an order that the test can know.
  enum Order {
    case asListed
    case any
  }

  /// Does something in the observed folder, and expects that exactly this is said of it, and that in the end replaying
  /// all change sets gives what is on disk, tags included.
  ///
  /// - Parameter isLast: Whether nothing follows. Else what is said late counts for the next step, and the test must
  ///   end with `expectAgreement`.
  func saysExactly(
    _ wanted: [String], order: Order = .asListed, isLast: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation,
    when act: (Folder) async throws -> Void
  ) async throws {
    let expected = TestSource.expected(wanted)
    let mark = recorder.position
    try await act(root)
    try await settle()
    // What becomes of a backup is decided after the document: one more cookie waits for it.
    if said(from: mark).count < expected.count { try await settle() }
    let said = said(from: mark)
    let isRight = order == .any ? said.sorted() == expected.sorted() : said == expected
    if !isRight {
      let later = try await saidLater(from: mark, after: said.count)
      #expect(said == expected, "\(later)", sourceLocation: sourceLocation)
    }
    if isLast { try await expectAgreement(sourceLocation: sourceLocation) }
  }

  /// For whoever reads of a failure: whether what is missing is late, or is never said.
  private func saidLater(from mark: Int, after count: Int) async throws -> String {
    let deadline = Moment.now + .seconds(8)
    while Moment.now < deadline, said(from: mark).count == count { try await settle() }
    let later = said(from: mark).dropFirst(count)
    return later.isEmpty ? "nothing more was said later" : "said later: \(Array(later))"
  }

  /// Expects that what was told is what is on disk, at the latest after a while.
  func expectAgreement(
    within time: Duration = .seconds(10), sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let differences = try await differencesInTheEnd(within: time)
    #expect(differences == [], sourceLocation: sourceLocation)
  }

  /// The UUIDs that the observer gives for names, which must be those in the tags.
  func uuids(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> [UUID] {
    try names.map { name in
      let tag = try uuid(name)
      #expect(observer.uuid(forItemAt: FilePath(root[name])) == tag, "\(name)", sourceLocation: sourceLocation)
      let isLinked = try root.status(name).linkCount > 1
      #expect(
        isLinked || observer.path(forItemWith: tag)?.string == root[name], "\(name)", sourceLocation: sourceLocation)
      return tag
    }
  }
}

extension Recorder {
  /// Awaits that the observer knows so many items.
  func awaitInventory(_ observer: FileSystemObserver, count: Int) async throws {
    try await self.await("an inventory of \(count) items") { _ in observer.snapshot().count >= count }
  }
}
