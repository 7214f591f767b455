import FileEvents
import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// When a file counts as finished.
struct VerdictTests {
  /// A file with what is known of it, and what is expected.
  struct Row: Sendable, CustomTestStringConvertible {
    var what: String
    var name = "report.pdf"
    /// How many milliseconds ago it was written.
    var rested: Int64
    var isClosed = true
    var isComplete = false
    var size: Int64 = 5
    var probe: WriterProbe?
    /// An arrival beside it.
    var sibling: String?
    /// In how many milliseconds to look again; `nil` if it is finished.
    var wait: Int64?

    var testDescription: String { what }
  }

  private static let rows = [
    Row(what: "closed and at rest", rested: 700),
    Row(what: "closed just now", rested: 699, wait: 1),
    Row(what: "closed, and written again by somebody", rested: 700, probe: .beingWritten, wait: 700),
    Row(what: "not closed, and nobody writes", rested: 700, isClosed: false, probe: .nobodyWrites),
    Row(what: "not closed, and nobody can tell", rested: 700, isClosed: false, probe: .unknown, wait: 4_300),
    Row(what: "not closed, and at rest for long", rested: 5_000, isClosed: false, probe: .unknown),
    Row(what: "known to be complete", rested: 0, isClosed: false, isComplete: true, probe: .beingWritten),
    Row(what: "a sibling that says so", rested: 700, sibling: "report.pdf.part", wait: 700),
    Row(what: "a sibling of another file", rested: 700, sibling: "letter.pdf.part"),
    Row(what: "a journal beside it", name: "data.db", rested: 700, sibling: "data.db-journal", wait: 700),
    Row(what: "an empty file beside a download", rested: 700, size: 0, sibling: "x.pdf.part", wait: 700),
    Row(what: "an empty file beside another download", rested: 700, size: 0, sibling: "x.zip.part"),
    Row(what: "a partial name", name: "report.pdf.part", rested: 5_000, wait: 25_000),
    Row(what: "a partial name at rest for half a minute", name: "report.pdf.part", rested: 30_000),
    Row(what: "a transient name", name: "~$report.docx", rested: 700, wait: 4_300),
    Row(what: "a transient name at rest for long", name: "~$report.docx", rested: 5_000),
  ]

  private static let now = MonotonicTime(nanoseconds: 100_000_000_000)

  private static func classifier() -> Classifier {
    var classifier = Classifier(graph: .empty)
    classifier.now = now
    return classifier
  }

  private static func place(_ name: String) -> Place { Place(parent: .root, name: FileName(name)) }

  private static func activity(_ row: Row) -> WriteActivity {
    let written = now + -row.rested * 1_000_000
    var activity = WriteActivity(now: written, size: row.size, modified: 0, nextCheck: now)
    activity.isClosed = row.isClosed
    activity.isComplete = row.isComplete
    return activity
  }

  @Test(arguments: rows) func aFileIsFinishedWhenNothingSpeaksAgainstIt(_ row: Row) {
    var classifier = Self.classifier()
    if let sibling = row.sibling {
      classifier.put(Arrival(at: Self.now, nextCheck: Self.now), at: Self.place(sibling))
    }
    let verdict = classifier.verdict(on: Self.activity(row), at: Self.place(row.name), row.probe)
    #expect(verdict == (row.wait.map { .wait(until: Self.now + $0 * 1_000_000) } ?? .finished))
  }

  /// A download's companion counts as long as it exists, a journal only while it is written itself.
  @Test(arguments: [("report.pdf.part", true), ("report.pdf-journal", false)])
  func aSiblingThatIsAnnouncedCountsByItsKind(_ sibling: String, _ isBlocked: Bool) {
    var classifier = Self.classifier()
    let id = classifier.graph.add(sibling, 2)
    let activity = Self.activity(Self.rows[0])
    #expect(classifier.isBlockedBySibling(Self.place("report.pdf"), activity) == isBlocked)
    classifier.noteActivity(of: id, kinds: .written)
    #expect(classifier.isBlockedBySibling(Self.place("report.pdf"), activity) == true)
  }

  @Test func theFileIsWokenWhenItsSiblingGoes() {
    var classifier = Self.classifier()
    for name in ["report.pdf", "report.pdf.part"] {
      classifier.put(Arrival(at: Self.now, nextCheck: Self.now + 1_000_000_000), at: Self.place(name))
    }
    classifier.dropArrival(at: Self.place("report.pdf.part"))
    #expect(classifier.arrivals[Self.place("report.pdf")]?.activity.nextCheck == Self.now)
    #expect(classifier.timers.time(of: .arrival(Self.place("report.pdf"))) == Self.now)
  }

  @Test func thePauseDoublesUntilItIsTenSeconds() {
    let classifier = Self.classifier()
    var activity = Self.activity(Self.rows[0])
    let pauses = (0..<7).map { checks in
      activity.checks = checks
      return classifier.pause(activity) / 1_000_000
    }
    #expect(pauses == [700, 1_400, 2_800, 5_600, 10_000, 10_000, 10_000])
  }
}
