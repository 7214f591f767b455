import FileSystemObservation
import Foundation
import Testing

@testable import BrowserModel

/// What is told of one document, as a table.
@MainActor @Suite struct SentenceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let changes: [FileSystemChange]
    let sentence: String
    var testDescription: String { sentence }

    init(_ sentence: String, _ changes: FileSystemChange...) {
      self.changes = changes
      self.sentence = sentence
    }
  }

  private nonisolated static let stage = Stage()

  private nonisolated static func change(
    _ event: FileSystemChange.Event, _ path: String = "report.odt", by origin: FileSystemChange.Origin = .other
  ) -> FileSystemChange { stage.change(event, path, "report", by: origin) }

  private nonisolated static func path(_ path: String) -> FilePath { stage.path(path) }

  private nonisolated static func copy(of path: String, by origin: FileSystemChange.Origin = .other) -> FileSystemChange
  {
    change(.duplicated(of: FileSystemChange.Original(uuid: stage.uuid("other"), path: stage.path(path))), by: origin)
  }

  nonisolated static let arrivals = [
    Case("report.odt was added by another program", change(.added), change(.copyFinished)),
    Case("report.odt was added", change(.added, by: .thisProcess), change(.copyFinished, by: .thisProcess)),
    Case("report.odt was added to Letters", change(.added, "Letters/report.odt", by: .unknown)),
    Case("report.odt is being copied to Letters by another program", change(.copying, "Letters/report.odt")),
    Case("report.odt was copied by another program", change(.copying), change(.copyFinished)),
    Case("report.odt is being copied by another program", change(.copying), change(.modified)),
    Case("report.odt is a copy of plan.odt", copy(of: "plan.odt")),
    Case("report.odt is a copy of report.odt in Letters", copy(of: "Letters/report.odt", by: .thisProcess)),
    Case("report.odt is back in Letters", change(.returned, "Letters/report.odt")),
    Case("report.odt is a further name of a document", change(.linked)),
  ]

  nonisolated static let moves = [
    Case("report.odt was renamed from draft.odt by another program", change(.renamed(from: path("draft.odt")))),
    Case("report.odt was renamed from draft.odt", change(.renamed(from: path("draft.odt")), by: .thisProcess)),
    Case("report.odt was renamed from draft.odt", change(.renamed(from: path("draft.odt")), by: .unknown)),
    Case(
      "report.odt was moved from Documents to Letters",
      change(.moved(from: path("report.odt")), "Letters/report.odt", by: .thisProcess)),
    Case(
      "report.odt was moved from Inbox to Letters and renamed from draft.odt by another program",
      change(.moved(from: path("Inbox/draft.odt")), "Letters/report.odt")),
    Case(
      "b.odt was renamed from draft.odt by another program", change(.renamed(from: path("draft.odt")), "a.odt"),
      change(.renamed(from: path("a.odt")), "b.odt")),
  ]

  nonisolated static let saves = [
    Case("report.odt was saved by another program", change(.modified)),
    Case("report.odt was saved", change(.modified, by: .thisProcess)),
    Case("report.odt was changed", change(.modified, by: .unknown)),
    Case(
      "report.odt was renamed from draft.odt, saved by another program",
      change(.renamed(from: path("draft.odt")), by: .thisProcess), change(.modified)),
    Case(
      "report.odt was renamed from draft.odt and saved by another program", change(.renamed(from: path("draft.odt"))),
      change(.modified)),
    Case(
      "report.odt was renamed from draft.odt and changed", change(.renamed(from: path("draft.odt")), by: .unknown),
      change(.modified, by: .unknown)),
    Case("report.odt is a copy of plan.odt, was saved", copy(of: "plan.odt"), change(.modified, by: .thisProcess)),
    Case("report.odt was added and saved by another program", change(.added), change(.copyFinished), change(.modified)),
  ]

  nonisolated static let departures = [
    Case("report.odt was deleted by another program", change(.deleted(.removed))),
    Case("report.odt was deleted", change(.deleted(.removed), by: .unknown)),
    Case("report.odt was moved to the trash", change(.deleted(.trashed), by: .thisProcess)),
    Case("report.odt was moved to the trash by another program", change(.deleted(.trashed))),
    Case("report.odt was moved out of this folder by another program", change(.deleted(.movedOut))),
    Case("report.odt was replaced by another document", change(.deleted(.replaced))),
    Case("report.odt is out of reach, because its disk is not mounted", change(.deleted(.unmounted))),
    Case("report.odt was removed, but the document has other names", change(.unlinked)),
    Case(
      "report.odt was renamed from draft.odt and deleted by another program",
      change(.renamed(from: path("draft.odt"))), change(.deleted(.removed))),
    Case("report.odt is back", change(.deleted(.trashed)), change(.returned)),
    Case("report.odt is back, was saved by another program", change(.returned), change(.modified)),
  ]

  @Test(arguments: arrivals + moves + saves + departures)
  func tells(_ situation: Case) {
    // In one set, and set by set, within a while.
    for sets in [[situation.changes], situation.changes.map { [$0] }] {
      let feed = ActivityFeed(of: Self.stage.folder)
      for changes in sets { feed.take(ActivityDigest(Self.stage.set(changes))) }
      #expect(feed.entries.map { "\($0.title) \($0.detail)" } == [situation.sentence])
    }
  }

  @Test(arguments: [
    (1, "1 document"), (999, "999 documents"), (1204, "1,204 documents"), (100_000, "100,000 documents"),
    (1_234_567, "1,234,567 documents"),
  ])
  func counts(_ number: Int, _ words: String) { #expect(Sentence.count(number, "document") == words) }
}
