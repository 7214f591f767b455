import FileSystemObservation
import Foundation
import Testing

@testable import BrowserModel

@MainActor @Suite struct ActivityFeedTests {
  private let stage = Stage()
  private let feed: ActivityFeed
  private let start = Date(timeIntervalSince1970: 1_000_000)

  init() { feed = ActivityFeed(of: stage.folder, limit: 20) }

  private func take(
    _ changes: [FileSystemChange], after seconds: TimeInterval = 0, isWhileAway: Bool = false
  ) {
    feed.take(ActivityDigest(stage.set(changes), isWhileAway: isWhileAway), at: start + seconds)
  }

  private var sentences: [String] { feed.entries.map { "\($0.title) \($0.detail)" } }

  private func added(
    _ names: [String], in folder: String? = nil, _ event: FileSystemChange.Event = .added
  ) -> [FileSystemChange] {
    names.map { name in
      stage.change(event, folder.map { "\($0)/\(name)" } ?? name, name, parent: folder)
    }
  }

  private func names(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "\($0).jpg" } }

  // MARK: - What belongs together

  @Test func theNewestIsFirst() {
    take([stage.change(.modified, "a.odt")])
    take([stage.change(.modified, "b.odt")], after: 1)
    take([stage.change(.renamed(from: stage.path("a.odt")), "c.odt", "a.odt")], after: 2)
    #expect(
      sentences == ["c.odt was renamed from a.odt and saved by another program", "b.odt was saved by another program"])
  }

  @Test func whatIsLongAgoStaysByItself() {
    take([stage.change(.modified, "a.odt")])
    take([stage.change(.modified, "a.odt")], after: 60)
    #expect(sentences == Array(repeating: "a.odt was saved by another program", count: 2))
  }

  @Test func whatWasUndoneIsNotTold() {
    take([stage.change(.renamed(from: stage.path("a.odt")), "b.odt", "a")])
    take([stage.change(.renamed(from: stage.path("b.odt")), "a.odt", "a")], after: 1)
    #expect(sentences == [])
  }

  @Test func whatHappenedWhileAwayStaysByItself() {
    take([stage.change(.modified, "a.odt", by: .unknown)], isWhileAway: true)
    take([stage.change(.modified, "a.odt")], after: 1)
    #expect(sentences == ["a.odt was saved by another program", "a.odt was changed"])
    #expect(feed.whileAway.map(\.detail) == ["was changed"])
  }

  // MARK: - Many

  @Test func manyAlikeAreOneEntry() {
    take(added(names(1...1204), in: "Photos"))
    #expect(sentences == ["1,204 documents were added to Photos by another program"])
    #expect(feed.entries.first?.path == stage.path("Photos"))
  }

  @Test func manyOneByOneAreOneEntry() {
    for number in 1...9 { take(added(["\(number).jpg"], in: "Photos"), after: Double(number)) }
    #expect(sentences == ["9 documents were added to Photos by another program"])
  }

  @Test func manyJoinTheOneBeforeThem() {
    take(added(["1.jpg"], in: "Photos"))
    take(added(names(2...10), in: "Photos"), after: 1)
    take(added(["11.jpg"], in: "Photos"), after: 2)
    #expect(sentences == ["11 documents were added to Photos by another program"])
  }

  @Test func fewAreAnEntryEach() {
    take(added(names(1...4), in: "Photos"))
    #expect(sentences.count == 4)
  }

  @Test func noneIsCountedTwice() {
    take(added(names(1...6), in: "Photos", .copying))
    take(added(names(1...6), in: "Photos", .copyFinished), after: 3)
    #expect(sentences == ["6 documents were added to Photos by another program"])
  }

  @Test func contentsComeWithTheirFolder() {
    let folder = stage.change(.added, "Photos", kind: .directory)
    take([folder] + added(names(1...3), in: "Photos"))
    #expect(sentences == ["Photos was added by another program, with 3 items in it"])
    take(added(names(3...8), in: "Photos"), after: 2)
    #expect(sentences == ["Photos was added by another program, with 8 items in it"])
  }

  @Test func contentsGoWithTheirFolder() {
    let folder = stage.change(.deleted(.trashed), "Photos", kind: .directory)
    take(added(names(1...3), in: "Photos", .deleted(.trashed)) + [folder])
    #expect(sentences == ["Photos was moved to the trash by another program, with 3 items in it"])
  }

  @Test func foldersInFoldersComeWithTheHighest() {
    take([
      stage.change(.added, "Photos", kind: .directory),
      stage.change(.added, "Photos/2026", "2026", kind: .directory, parent: "Photos"),
      stage.change(.added, "Photos/2026/1.jpg", "1.jpg", parent: "2026"),
    ])
    #expect(sentences == ["Photos was added by another program, with 2 items in it"])
  }

  @Test(arguments: [
    (FileSystemChange.Event.modified, FileSystemChange.Origin.unknown, "5 documents were changed in Photos"),
    (.modified, .other, "5 documents were saved in Photos by another program"),
    (.deleted(.removed), .thisProcess, "5 documents were deleted from Photos"),
    (.deleted(.trashed), .other, "5 documents were moved from Photos to the trash by another program"),
    (.returned, .other, "5 documents are back in Photos"),
  ])
  func tellsOfMany(_ event: FileSystemChange.Event, _ origin: FileSystemChange.Origin, _ sentence: String) {
    take((1...5).map { stage.change(event, "Photos/\($0)", "\($0)", by: origin) })
    #expect(sentences == [sentence])
  }

  @Test func aBurstTakesNoTimeOfTheMainActor() {
    let changes = stage.set(added(names(1...2000), in: "Photos"))
    let digest = ActivityDigest(changes)
    let duration = ContinuousClock().measure { feed.take(digest, at: start) }
    #expect(sentences == ["2,000 documents were added to Photos by another program"])
    #expect(duration < .milliseconds(50))
  }

  // MARK: - Rows

  @Test func splicesMakeTheRows() {
    var rows: [ActivityFeed.Entry] = []
    feed.onChange = { [feed] splice in
      rows.replaceSubrange(
        splice.position..<splice.position + splice.removed,
        with: feed.entries[splice.position..<splice.position + splice.added])
    }
    for number in 0..<60 {
      take([stage.change(.modified, "\(number % 7)/a.odt", "\(number % 11)")], after: Double(number * number) / 9)
      #expect(rows == feed.entries)
    }
    #expect(rows.count == 20)
    feed.removeAll()
    #expect(rows == [])
  }

  @Test func aGapIsTold() {
    feed.take(.gap, at: start)
    #expect(feed.whileAway.map(\.title) == ["Documents"])
  }
}
