import FileSystemObservation
import FoundationEssentials
import Glibc
import ObservationTestSupport
import TestTraits
import Testing

/// A folder that programs move by copying it and removing the original: it is told as moved, and every UUID in it
/// stays.
@Suite(.light) struct FolderMovedByCopyingTests {
  private static let names = ["", "/a", "/day", "/day/b", "/day/c"]

  private let folder: TestFolder

  init() throws {
    folder = try TestFolder("moved")
    try folder.watched.makeDirectories("trip/day")
    for name in ["a", "day/b", "day/c"] { try folder.watched.write("trip/\(name)", "content of \(name)\n") }
  }

  private func observed(by source: TestSource) async throws -> ObservedFolder {
    let observed = ObservedFolder(folder, options: source.applied(to: FileSystemObserver.Configuration()))
    try await observed.start()
    return observed
  }

  private func run(_ command: String) async throws {
    try await onThread { [path = folder.watched.path] in try Command.run("sh", "-c", "cd '\(path)' && \(command)") }
  }

  private func uuids(_ observed: ObservedFolder, in top: String) throws -> [UUID] {
    try Self.names.map { try observed.uuid(top + $0) }
  }

  /// Runs what moves the folder `trip`, and expects that it has moved, and what is in it with it.
  private func expectMove(_ observed: ObservedFolder, to top: String, _ command: String) async throws {
    let before = try uuids(observed, in: "trip")
    let mark = observed.recorder.position
    try await run(command)
    try await observed.settle()
    #expect(try uuids(observed, in: top) == before)
    let told = observed.changes(from: mark).filter { before.contains($0.uuid) }
    #expect(told.map(\.kind) == [top.contains("/") ? .moved : .renamed], "\(observed.said(from: mark))")
    try await observed.expectAgreement()
  }

  @Test(arguments: TestSource.toTest) func aFolderThatIsCopiedAndRemovedAtOnceHasMoved(_ source: TestSource)
    async throws
  {
    let observed = try await observed(by: source)
    try await expectMove(observed, to: "album", "cp -a trip album && rm -r trip")
  }

  @Test(arguments: TestSource.toTest) func aFolderWhoseCopyHasBeenToldHasMoved(_ source: TestSource) async throws {
    let observed = try await observed(by: source)
    let before = try uuids(observed, in: "trip")
    var notes = DocumentValues<String>()
    for uuid in before { notes[uuid] = "of the trip" }
    var mark = observed.recorder.position
    try await run("cp -a trip album")
    for name in ["a", "day/b", "day/c"] {
      let path = folder.watched["album/\(name)"]
      _ = try await observed.recorder.awaitChange("the copy of \(name)") {
        $0.kind == .copyFinished && $0.path.string == path
      }
    }
    try await observed.settle()
    let copies = try uuids(observed, in: "album")
    #expect(Set(copies).isDisjoint(with: before))
    for entry in observed.recorder.entries[mark...] { notes.apply(entry.event) }
    for uuid in copies { notes[uuid]? += ", copied" }
    mark = observed.recorder.position
    try await expectMove(observed, to: "album", "rm -r trip")
    #expect(heirs(observed, from: mark) == Dictionary(uniqueKeysWithValues: zip(copies, before)))
    // What was noted of the copies meanwhile goes to the documents, which are in their places.
    for entry in observed.recorder.entries[mark...] { notes.apply(entry.event) }
    #expect(Set(notes.uuids) == Set(before) && notes.allSatisfy { $0.value == "of the trip, copied" })
  }

  /// Which items are in the places of those that were replaced.
  private func heirs(_ observed: ObservedFolder, from mark: Int) -> [UUID: UUID] {
    var heirs: [UUID: UUID] = [:]
    for case .didChange(let set) in observed.recorder.entries[mark...].map(\.event) {
      for change in set { heirs[change.uuid] = set.replacement(of: change)?.uuid ?? heirs[change.uuid] }
    }
    return heirs
  }

  @Test(.enabled(if: geteuid() == 0, "only root may mount"), arguments: TestSource.toTest)
  func aFolderMovedToAnotherFileSystemHasMoved(_ source: TestSource) async throws {
    try folder.watched.mkdir("stick")
    let top = folder.watched["stick"]
    try Command.run("mount", "-t", "tmpfs", "none", top)
    defer { try? Command.run("umount", "-l", top) }
    let observed = try await observed(by: source)
    defer { observed.observer.stop() }
    try await expectMove(observed, to: "stick/trip", "mv trip stick/trip")
  }
}
