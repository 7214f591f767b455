#if Store
import FileTestSupport
import Foundation
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation
@testable import ObservationStore

/// Operations of the app before the comparison with the last run is announced.
@Suite(.light, .undisturbed) struct ResumedOperationTests {
  private let stored: StoredFolder
  private var folder: FilePath { stored.folder }

  init() throws {
    stored = try StoredFolder()
    for index in 0..<20 { try stored.write("old/deep/\(index).odt", "page \(index)") }
    try stored.write("old/letter.odt", "letter")
    try stored.write("other/photo.odt", "photo")
    try stored.rest()
  }

  /// What is announced by and after a start, whose scan an operation follows at once.
  private func said(
    after command: String, _ operate: (FileSystemObserver) throws -> Void
  ) async throws -> [String] {
    try await stored.run()
    try stored.shell(command)
    let observer = FileSystemObserver(stored.configuration, store: stored.store)
    let events = observer.events(startingWith: .now)
    try await observer.start()
    var said: [String] = []
    for try await event in events {
      if case .willBeginFullScan = event {
        try operate(observer)
        await observer.synchronize()
        await observer.stop()
      }
      guard case .didChange(let changes) = event else { continue }
      said += changes.filter { $0.kind != .copyFinished }.map { "\($0.origin) \(stored.said($0))" }
    }
    return said
  }

  @Test func anItemIsRenamedInAFolderThatWasRenamed() async throws {
    let said = try await said(after: "mv old new") { observer in
      try observer.moveItem(at: folder.appending("new/letter.odt"), to: folder.appending("new/note.odt"))
    }
    #expect(said == ["unknown renamed old -> new", "thisProcess renamed new/letter.odt -> new/note.odt"])
  }

  @Test func aFolderIsRenamedThatWasRenamedAndFilled() async throws {
    let said = try await said(after: "mv old new && mv other new/") { observer in
      try observer.moveItem(at: folder.appending("new"), to: folder.appending("again"))
    }
    #expect(
      said == [
        "unknown renamed old -> new", "unknown moved other -> new/other", "thisProcess renamed new -> again",
      ])
  }

  @Test func aNewFolderIsMovedIntoWhichOthersWereMoved() async throws {
    let said = try await said(after: "mkdir -p a/b && mv old a/b/ && mv a/b/old/deep other/ && mv other a/x") {
      try $0.moveItem(at: folder.appending("a/b"), to: folder.appending("a/c"))
    }
    let before = Set(said.dropLast())
    #expect(
      before == [
        "unknown discovered a", "unknown discovered a/b", "unknown moved other -> a/x", "unknown moved old -> a/b/old",
        "unknown moved old/deep -> a/x/deep",
      ])
    #expect(said.last == "thisProcess renamed a/b -> a/c")
  }

  @Test func aFolderIsRemovedThatWasMoved() async throws {
    let said = try await said(after: "mv old other/new") { observer in
      try observer.removeItem(at: folder.appending("other"))
    }
    #expect(said.first == "unknown moved old -> other/new")
    #expect(said.dropFirst().allSatisfy { $0.hasPrefix("thisProcess deleted") } && said.count == 26)
  }
}
#endif
