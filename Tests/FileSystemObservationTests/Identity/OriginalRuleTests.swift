import FileIdentity
import Testing

@testable import FileSystemObservation

/// Which of two files with one tag is the original, as a table.
struct OriginalRuleTests {
  private typealias Claimant = OriginalRule.Claimant

  private static let older = FileKey(device: 1, inode: 20, born: 1_000)
  private static let younger = FileKey(device: 1, inode: 10, born: 2_000)

  /// What two files are in the first scan; whether the one that was found last is the original.
  struct Row: Sendable, CustomTestStringConvertible {
    var newcomer: (isOlder: Bool, bearsOwnTag: Bool, isNew: Bool)
    var known: (bearsOwnTag: Bool, isNew: Bool)
    var isOriginal: Bool

    var testDescription: String { "\(newcomer) besides \(known)" }
  }

  static let rows = [
    // Born first.
    Row(newcomer: (true, false, false), known: (false, false), isOriginal: true),
    Row(newcomer: (false, false, false), known: (false, false), isOriginal: false),
    // The other has no tag yet.
    Row(newcomer: (false, false, false), known: (false, true), isOriginal: true),
    Row(newcomer: (true, false, true), known: (false, false), isOriginal: false),
    Row(newcomer: (true, false, true), known: (false, true), isOriginal: true),
    // The tag was minted for one of them.
    Row(newcomer: (false, true, false), known: (false, false), isOriginal: true),
    Row(newcomer: (true, false, false), known: (true, false), isOriginal: false),
    Row(newcomer: (true, false, false), known: (true, true), isOriginal: false),
  ]

  @Test(arguments: rows) func inTheFirstScan(_ row: Row) {
    let newcomer = Claimant(
      key: row.newcomer.isOlder ? Self.older : Self.younger, bearsOwnTag: row.newcomer.bearsOwnTag,
      isNew: row.newcomer.isNew)
    let known = Claimant(
      key: row.newcomer.isOlder ? Self.younger : Self.older, bearsOwnTag: row.known.bearsOwnTag,
      isNew: row.known.isNew)
    #expect(OriginalRule.isOriginal(newcomer, besides: known) == row.isOriginal)
  }

  /// The document was saved with its tag after it was copied, so that the copy is the older inode.
  @Test func aCopyThatIsOlderThanTheSavedDocument() {
    let (copy, saved) = (Claimant(key: Self.older, isLoneCopy: true), Claimant(key: Self.younger))
    #expect(OriginalRule.isOriginal(saved, besides: copy) && !OriginalRule.isOriginal(copy, besides: saved))
    let tagged = Claimant(key: Self.older, bearsOwnTag: true, isLoneCopy: true)
    #expect(OriginalRule.isOriginal(tagged, besides: saved) && !OriginalRule.isOriginal(saved, besides: tagged))
  }

  @Test func aBackupIsTheCopyAlsoIfItIsTheOldInode() {
    let (backup, saved) = (
      Claimant(key: Self.older, bearsOwnTag: true, isBackup: true), Claimant(key: Self.younger)
    )
    #expect(OriginalRule.isOriginal(saved, besides: backup) && !OriginalRule.isOriginal(backup, besides: saved))
  }

  @Test(arguments: [
    (OriginalRule.EarlierFind.Claim.provisional, true), (.unread, true), (.established, false),
    (.found(asCopy: true), true), (.found(asCopy: false), false),
  ]) func ofAYoungerOneThatIsFoundLater(_ claim: OriginalRule.EarlierFind.Claim, _ isOriginal: Bool) {
    let known = OriginalRule.EarlierFind(key: Self.older, claim: claim)
    let newcomer = Claimant(key: Self.younger)
    #expect(OriginalRule.isOriginal(newcomer, foundAfter: known, boreTagBefore: false) == isOriginal)
  }

  @Test func whatIsFoundLaterMayBeOlderOrHaveBeenTaggedBefore() {
    let found = OriginalRule.EarlierFind(key: Self.younger, claim: .found(asCopy: false))
    #expect(OriginalRule.isOriginal(Claimant(key: Self.older), foundAfter: found, boreTagBefore: false))
    let elder = OriginalRule.EarlierFind(key: Self.older, claim: .found(asCopy: false))
    #expect(OriginalRule.isOriginal(Claimant(key: Self.younger), foundAfter: elder, boreTagBefore: true))
    let tagged = Claimant(key: Self.younger, bearsOwnTag: true)
    #expect(OriginalRule.isOriginal(tagged, foundAfter: elder, boreTagBefore: false))
    let atItsPath = OriginalRule.EarlierFind(key: Self.younger, claim: .atItsPath)
    #expect(OriginalRule.isOriginal(tagged, foundAfter: atItsPath, boreTagBefore: false))
    #expect(!OriginalRule.isOriginal(Claimant(key: Self.older), foundAfter: atItsPath, boreTagBefore: true))
    let established = OriginalRule.EarlierFind(key: Self.younger, claim: .established)
    #expect(!OriginalRule.isOriginal(Claimant(key: Self.older), foundAfter: established, boreTagBefore: true))
  }

  /// Of two observers each decides for its own file, and one of them only exchanges.
  @Test func twoObserversDecideAlike() {
    let (small, large) = (UUIDBits(high: 1, low: 1), UUIDBits(high: 1, low: 2))
    #expect(OriginalRule.mustExchange(Self.older, large, with: Self.younger, small))
    #expect(OriginalRule.mustExchange(Self.younger, small, with: Self.older, large))
    #expect(!OriginalRule.mustExchange(Self.older, small, with: Self.younger, large))
    #expect(!OriginalRule.mustExchange(Self.younger, large, with: Self.older, small))
  }
}
