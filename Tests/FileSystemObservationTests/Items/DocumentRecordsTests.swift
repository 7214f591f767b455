import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import SystemPackage
import Testing

/// What an app keeps of its documents is in its database record by record.
struct DocumentRecordsTests {
  private typealias Ratings = DocumentValues<Int>

  private static let directory: FilePath = "/T"
  private static let date = Date(timeIntervalSince1970: 1_000_000)

  private let letter = UUID()
  private let copy = UUID()
  private let draft = UUID()

  /// A database: the records by their UUIDs, and the cursor.
  private struct Database: Equatable {
    var records: [UUID: Ratings.Record] = [:]
    var cursor: FileSystemObserver.Cursor?

    mutating func write(_ changes: Ratings.RecordChanges) {
      for record in changes.updated { records[record.uuid] = record }
      for uuid in changes.removed { records[uuid] = nil }
      cursor = changes.cursor
    }

    var ratings: Ratings { Ratings(records: records.values, cursor: cursor) }
  }

  private func change(_ event: FileSystemChange.Event, _ path: String, _ uuid: UUID) -> FileSystemChange {
    FileSystemChange(
      event,
      FileSystemItem.Snapshot(uuid: uuid, kind: .file, relativePath: FilePath(path), directory: Self.directory))
  }

  private func changes(_ changes: FileSystemChange...) -> FileSystemChanges {
    FileSystemChanges(changes, directory: Self.directory)
  }

  private var duplicated: FileSystemChange {
    change(.duplicated(of: .init(uuid: letter, path: "/T/letter")), "copy", copy)
  }

  /// The copy ends, and the letter goes on in its place.
  private var takeOver: FileSystemChanges {
    changes(change(.deleted(.replaced), "copy", copy), change(.renamed(from: "/T/letter"), "copy", letter))
  }

  @Test func aRecordSaysAllThatIsKnownOfADocument() {
    var ratings = Ratings()
    ratings[letter] = 5
    ratings.apply(changes(duplicated, change(.deleted(.trashed), "letter", letter)), at: Self.date)
    let records = [
      Ratings.Record(uuid: letter, value: 5, goneSince: Self.date),
      Ratings.Record(uuid: copy, value: 5, isInherited: true, original: letter, copiedAt: Self.date),
    ]
    #expect(Set(ratings.records) == Set(records))
    #expect(Ratings(records: records) == ratings)
    let taken = ratings.takeChanges()
    #expect(Set(taken.updated) == Set(records) && taken.removed.isEmpty)
  }

  @Test func onlyWhatChangedIsTaken() {
    var ratings = Ratings(records: [Ratings.Record(uuid: letter, value: 5), Ratings.Record(uuid: draft, value: 1)])
    #expect(ratings.takeChanges().isEmpty)
    // A document that is there, and one without a value, are no news.
    ratings.apply(
      changes(
        change(.discovered(isCopying: false, isReturned: true), "letter", letter),
        change(.modified, "letter", letter), change(.deleted(.trashed), "other", UUID())))
    #expect(ratings.takeChanges().isEmpty)
    ratings.apply(changes(duplicated), at: Self.date)
    #expect(ratings.takeChanges().updated.map(\.uuid) == [copy])
    // To apply a set twice changes nothing.
    ratings.apply(changes(duplicated), at: Self.date + 10)
    #expect(ratings.takeChanges().isEmpty)
    ratings[draft] = nil
    ratings[UUID()] = nil
    let taken = ratings.takeChanges()
    #expect(taken.updated.isEmpty && taken.removed == [draft])
  }

  @Test func aCopyWithoutAValueIsKnownAfterARestart() {
    var database = Database()
    var ratings = Ratings()
    ratings.apply(changes(duplicated), at: Self.date)
    database.write(ratings.takeChanges())
    let record = Ratings.Record(uuid: copy, isInherited: true, original: letter, copiedAt: Self.date)
    #expect(Array(database.records.values) == [record])
    ratings = database.ratings
    #expect(ratings.isEmpty)
    ratings[copy] = 3
    // What was noted of the copy goes to the letter, which is in its place.
    #expect(ratings.apply(takeOver) == [copy, letter] && ratings[letter] == 3)
    database.write(ratings.takeChanges())
    #expect(Array(database.records.values) == [Ratings.Record(uuid: letter, value: 3)])
  }

  /// The user has removed the rating of the copy, which has the place of the letter in the end.
  @Test func whatWasRemovedFromACopyStaysRemoved() throws {
    var ratings = Ratings()
    ratings[letter] = 5
    ratings.apply(changes(duplicated), at: Self.date)
    ratings[copy] = nil
    // To apply the set again does not bring it back.
    #expect(ratings.apply(changes(duplicated)).isEmpty && ratings[copy] == nil)
    var database = Database()
    database.write(ratings.takeChanges())
    #expect(database.ratings == ratings)
    let decoded = try JSONDecoder().decode(Ratings.self, from: JSONEncoder().encode(ratings))
    #expect(decoded == ratings)
    for var kept in [ratings, database.ratings, decoded] {
      #expect(kept.apply(takeOver) == [letter] && kept.isEmpty)
    }
  }

  @Test func whatIsForgottenIsRemoved() {
    var ratings = Ratings(records: [
      Ratings.Record(uuid: letter, value: 5, goneSince: Self.date),
      Ratings.Record(uuid: draft, value: 1),
      Ratings.Record(uuid: copy, value: 2, original: draft, copiedAt: Self.date),
    ])
    ratings.forget(goneBefore: Self.date + 1)
    let taken = ratings.takeChanges()
    #expect(taken.removed == [letter])
    // The copy is old, and a document of its own from now on.
    #expect(taken.updated == [Ratings.Record(uuid: copy, value: 2)])
  }

  @Test func whatCouldNotBeWrittenIsTakenAgain() {
    var ratings = Ratings(records: [Ratings.Record(uuid: draft, value: 1)])
    ratings[letter] = 5
    ratings[draft] = nil
    let unwritten = ratings.takeChanges()
    #expect(ratings.takeChanges().isEmpty)
    ratings[letter] = 4
    ratings.putBack(unwritten)
    let taken = ratings.takeChanges()
    #expect(taken.updated == [Ratings.Record(uuid: letter, value: 4)] && taken.removed == [draft])
  }

  @Test func ofTwoRecordsTheLastCounts() {
    let ratings = Ratings(records: [
      Ratings.Record(uuid: letter, value: 5, goneSince: Self.date), Ratings.Record(uuid: letter, value: 4),
    ])
    #expect(ratings[letter] == 4 && ratings.goneSince(letter) == nil && ratings.count == 1)
  }

  @Test func allThatIsDecodedIsNotYetInADatabase() throws {
    var ratings = Ratings()
    ratings[letter] = 5
    _ = ratings.takeChanges()
    var decoded = try JSONDecoder().decode(Ratings.self, from: JSONEncoder().encode(ratings))
    #expect(decoded == ratings && decoded.takeChanges().updated == Array(ratings.records))
  }

  /// The database has what is in memory, however often it is written.
  @Test(arguments: 1...40) func theDatabaseHasWhatIsInMemory(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var ratings = Ratings()
    var database = Database()
    let documents = [letter, copy, draft]
    for step in 0..<60 {
      let document = documents[Int(random.next() % 3)]
      let other = documents[Int(random.next() % 3)]
      let date = Self.date + Double(step)
      switch random.next() % 7 {
      case 0: ratings[document] = step
      case 1: ratings[document] = nil
      case 2: ratings.apply(changes(change(.deleted(.trashed), "a", document)), at: date)
      case 3: ratings.apply(changes(change(.discovered(isCopying: false, isReturned: true), "a", document)), at: date)
      case 4 where document != other:
        ratings.apply(changes(change(.duplicated(of: .init(uuid: other, path: "/T/b")), "a", document)), at: date)
      case 5 where document != other:
        ratings.apply(
          changes(change(.deleted(.replaced), "a", document), change(.renamed(from: "/T/b"), "a", other)), at: date)
      default: ratings.forget(goneBefore: date - 20)
      }
      if random.next().isMultiple(of: 3) { continue }
      let taken = ratings.takeChanges()
      if random.next().isMultiple(of: 4) { ratings.putBack(taken) } else { database.write(taken) }
    }
    database.write(ratings.takeChanges())
    #expect(database.ratings == ratings)
  }
}
