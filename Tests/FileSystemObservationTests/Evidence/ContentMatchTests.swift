import FileIdentity
import TestTraits
import Testing

@testable import FileSystemObservation

/// Whose content a new file has: one row for each case.
@Suite(.light) struct ContentMatchTests {
  private static let one = UUIDBits(high: 0, low: 1)
  private static let two = UUIDBits(high: 0, low: 2)

  private static let three = UUIDBits(high: 0, low: 3)

  private static func copy(_ uuid: UUIDBits) -> ContentMatch.Holder {
    .init(uuid: uuid, isStanding: true, isCopy: true)
  }
  private static func standing(_ uuid: UUIDBits) -> ContentMatch.Holder { .init(uuid: uuid, isStanding: true) }
  private static func gone(_ uuid: UUIDBits) -> ContentMatch.Holder { .init(uuid: uuid, isStanding: false) }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var holders: [ContentMatch.Holder]
    var newcomers = 1
    var mayBeMore = false
    var match: ContentMatch
  }

  static let rows: [Row] = [
    Row(testDescription: "nobody has it", holders: [], match: .none),
    Row(testDescription: "nobody has it, and more are read", holders: [], mayBeMore: true, match: .none),
    Row(testDescription: "a document has it: a copy", holders: [standing(one)], match: .of(one)),
    Row(testDescription: "several copies of a document", holders: [standing(one)], newcomers: 3, match: .of(one)),
    Row(testDescription: "a copy, and more may come", holders: [standing(one)], mayBeMore: true, match: .of(one)),
    Row(testDescription: "a document that is gone", holders: [gone(one)], match: .of(one)),
    Row(testDescription: "gone, and more may come", holders: [gone(one)], mayBeMore: true, match: .undecided),
    Row(testDescription: "two for one that is gone", holders: [gone(one)], newcomers: 2, match: .none),
    Row(
      testDescription: "two for one that is gone, and more may come", holders: [gone(one)], newcomers: 2,
      mayBeMore: true,
      match: .none),
    Row(testDescription: "one for two that are gone", holders: [gone(one), gone(two)], match: .none),
    Row(testDescription: "a copy of either", holders: [standing(one), standing(two)], match: .none),
    Row(testDescription: "one is gone, another stands", holders: [gone(one), standing(two)], match: .none),
    Row(
      testDescription: "one is gone, another stands, and more may come", holders: [gone(one), standing(two)],
      mayBeMore: true, match: .none),
    Row(testDescription: "a copy, where another copy stands", holders: [standing(one), copy(two)], match: .of(one)),
    Row(testDescription: "a copy stands, its original is gone", holders: [gone(one), copy(two)], match: .none),
    Row(testDescription: "a copy stands alone", holders: [copy(two)], match: .of(two)),
    Row(
      testDescription: "a copy of either of two originals", holders: [standing(one), standing(two), copy(three)],
      match: .none),
    Row(
      testDescription: "a copy and a document that is gone", holders: [gone(one), standing(two), copy(three)],
      match: .none),
    Row(testDescription: "two names of one document", holders: [standing(one), standing(one)], match: .of(one)),
    Row(
      testDescription: "one of two names is gone", holders: [gone(one), standing(one)], newcomers: 2, match: .of(one)),
  ]

  @Test(arguments: rows) func each(_ row: Row) {
    #expect(ContentMatch.of(row.holders, newcomers: row.newcomers, mayBeMore: row.mayBeMore) == row.match)
  }

  /// The order in which the files were found does not matter.
  @Test(arguments: rows) func reversed(_ row: Row) {
    let holders = Array(row.holders.reversed())
    #expect(ContentMatch.of(holders, newcomers: row.newcomers, mayBeMore: row.mayBeMore) == row.match)
  }
}
