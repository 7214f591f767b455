import FileIdentity
import FoundationEssentials
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileSystemObservation

/// Which of the files that were found is the one, without files.
struct BookmarkVerdictTests {
  private static let uuid = UUIDBits(high: 7, low: 8)
  private static let other = UUIDBits(high: 7, low: 9)
  private static let home: FilePath = "/home/letter.txt"
  private typealias Candidate = BookmarkVerdict.Candidate

  private func look(
    _ path: FilePath, inode: UInt64 = 5, born: Int64 = 1_000, tag: TagReading = .none, kind: FileKind = .file,
    names: UInt32 = 1
  ) -> FileLook {
    FileLook(
      path: path, status: FileStatus(device: 1, inode: inode, born: born, kind: kind, linkCount: names), tag: tag,
      fileSystem: 3)
  }

  private func verdict(
    _ looks: [FileLook], identity: FileSystemItem.IdentityKind = .tag,
    adjusting adjust: (inout BookmarkVerdict) -> Void = { _ in }
  ) -> BookmarkVerdict {
    let traits = FileTraits(inode: 5, born: 1_000, fileSystem: 3)
    let bookmark = FileBookmark(
      uuid: UUID(Self.uuid), path: Self.home, kind: .file, identity: identity, traits: traits)
    let candidates = looks.map { Candidate(look: $0, isInode: traits.match($0, isInPlace: $0.path == Self.home)) }
    var verdict = BookmarkVerdict(bookmark, candidates)
    adjust(&verdict)
    return verdict
  }

  private func path(_ outcome: BookmarkVerdict.Outcome?) -> String {
    switch outcome {
    case .file(let candidate, _): candidate.look.path.string
    case .ambiguous(let paths): paths.map(\.string).joined(separator: " or ")
    case nil, .some(.none): "none"
    }
  }

  @Test func theRecordedInodeIsTheFileWhateverItsTag() {
    for tag in [TagReading.uuid(Self.uuid), .none, .garbage, .unreadable] {
      #expect(path(verdict([look("/a", tag: tag)]).certain) == "/a")
    }
    let overwritten = verdict([look("/a", tag: .uuid(Self.other))])
    #expect(overwritten.certain == nil && path(overwritten.decide()) == "/a")
  }

  @Test func anInodeWithAnotherTagGivesWayToTheBearer() {
    let looks = [look("/a", tag: .uuid(Self.other)), look("/b", inode: 6, born: 2_000, tag: .uuid(Self.uuid))]
    #expect(path(verdict(looks).decide()) == "/b")
    // The bookmark was made of a file without a tag, which has got one since.
    #expect(path(verdict(looks, identity: .inode).decide()) == "/a")
  }

  /// A document's backup, which an observer took for a copy.
  @Test func anInodeWithAnIdentityOfItsOwnIsMostlyAnother() {
    let own = UUIDBits.minted(for: FileKey(device: 1, inode: 5, born: 1_000), on: 3)
    #expect(verdict([look("/a", tag: .uuid(own))]).decide() == .ambiguous(["/a"]))
    #expect(path(verdict([look(Self.home, tag: .uuid(own))]).decide()) == "/home/letter.txt")
    #expect(path(verdict([look("/a", tag: .uuid(own))], identity: .inode).decide()) == "/a")
  }

  @Test func aBearerIsACopyWhileTheFileExists() {
    let copy = look("/b", inode: 6, born: 2_000, tag: .uuid(Self.uuid))
    #expect(path(verdict([copy]).decide()) == "/b")
    #expect(path(verdict([copy]) { $0.fate = .exists }.decide()) == "none")
  }

  @Test func ofSeveralBearersNothingTells() {
    let first = look("/b", inode: 6, born: 2_000, tag: .uuid(Self.uuid))
    let second = look("/a", inode: 7, born: 3_000, tag: .uuid(Self.uuid))
    #expect(path(verdict([second, first]).decide()) == "/b or /a")
    // Two names of one file are one.
    let name = look("/c", inode: 6, born: 2_000, tag: .uuid(Self.uuid))
    #expect(path(verdict([name, first]).decide()) == "/b")
    // The eldest at the last place was saved there, and copied afterwards; a younger one there may be a copy.
    let saved = look(Self.home, inode: 6, born: 2_000, tag: .uuid(Self.uuid))
    #expect(path(verdict([second, saved]).decide()) == "/home/letter.txt")
    let put = look(Self.home, inode: 8, born: 4_000, tag: .uuid(Self.uuid))
    #expect(path(verdict([second, put]).decide()) == "/a or /home/letter.txt")
  }

  @Test func aBearerBesideWhatMayBeASaveIsOneOfTwo() {
    let copy = look("/b", inode: 6, born: 2_000, tag: .uuid(Self.uuid))
    let saved = look(Self.home, inode: 7, born: 3_000)
    #expect(path(verdict([copy, saved]).decide()) == "/b or /home/letter.txt")
    // The copy was made of a file that was elsewhere when the other came.
    let later = look("/b", inode: 6, born: 4_000, tag: .uuid(Self.uuid))
    #expect(path(verdict([later, saved]).decide()) == "/b")
    let older = look(Self.home, inode: 7, born: 500)
    #expect(path(verdict([copy, older]).decide()) == "/b")
    let stranger = look(Self.home, inode: 7, born: 3_000, tag: .uuid(Self.other))
    #expect(path(verdict([copy, stranger]).decide()) == "/b")
  }

  @Test func aBearerThatIsOlderIsNotTakenForTheFile() {
    let older = look("/b", inode: 6, born: 500, tag: .uuid(Self.uuid))
    #expect(verdict([older]).decide() == .ambiguous(["/b"]))
  }

  @Test func aSaveNeedsTheProofThatTheFileIsGone() {
    let saved = look(Self.home, inode: 6, born: 2_000)
    #expect(path(verdict([saved]).decide()) == "none")
    #expect(path(verdict([saved]) { $0.isLastPlaceSearched = true }.decide()) == "/home/letter.txt")
    #expect(path(verdict([saved]) { $0.fate = .gone }.decide()) == "/home/letter.txt")
    let elsewhere = verdict([saved]) {
      $0.isLastPlaceSearched = true
      $0.fate = .exists
    }
    #expect(path(elsewhere.decide()) == "none")
    let known = verdict([saved]) {
      $0.fate = .gone
      $0.hasOtherAtLastPlace = true
    }
    #expect(path(known.decide()) == "none")
  }

  /// Another's file at the last place may bear a tag of its own.
  @Test func whatHidesItsTagIsNotTakenForTheFile() {
    var hidden = look(Self.home, inode: 6, born: 2_000, tag: .unreadable)
    #expect(path(verdict([hidden]) { $0.fate = .gone }.decide()) == "/home/letter.txt")
    hidden.mayHideTag = true
    #expect(path(verdict([hidden]) { $0.fate = .gone }.decide()) == "none")
    let backup = look("/home/letter.txt~", tag: .uuid(Self.uuid))
    #expect(path(verdict([backup, hidden]).certain) == "/home/letter.txt~")
  }

  @Test func whatCannotHaveBeenSavedIsNotTakenForTheFile() {
    let others = [
      look(Self.home, inode: 6, born: 500), look(Self.home, inode: 6, born: 2_000, tag: .uuid(Self.other)),
      look(Self.home, inode: 6, born: 2_000, kind: .directory), look(Self.home, inode: 6, born: 2_000, kind: .symlink),
      look(Self.home, inode: 6, born: 2_000, kind: .special), look("/elsewhere", inode: 6, born: 2_000),
    ]
    for other in others { #expect(path(verdict([other]) { $0.fate = .gone }.decide()) == "none") }
  }

  @Test func betweenANameAndItsBackupTheIdentityBelongsToTheName() {
    let backup = look("/home/letter.txt~", tag: .uuid(Self.uuid))
    let saved = look(Self.home, inode: 6, born: 2_000)
    #expect(path(verdict([backup, saved]).certain) == "/home/letter.txt")
    #expect(path(verdict([backup]).certain) == "/home/letter.txt~")
    let other = look(Self.home, inode: 6, born: 2_000, tag: .uuid(Self.other))
    #expect(path(verdict([backup, other]).certain) == "/home/letter.txt~")
    let older = look(Self.home, inode: 6, born: 500)
    #expect(path(verdict([backup, older]).certain) == "/home/letter.txt~")
    // A backup that was saved itself.
    let again = look("/home/letter.txt~", inode: 7, born: 3_000, tag: .uuid(Self.uuid))
    #expect(path(verdict([again, saved]).decide()) == "/home/letter.txt")
    let elsewhere = look("/other/letter.txt~", tag: .uuid(Self.uuid))
    #expect(path(verdict([elsewhere, saved]).certain) == "/other/letter.txt~")
  }

  @Test func anObserverKnowsBest() {
    func observed(_ look: FileLook, hasInode: Bool) -> Candidate {
      Candidate(look: look, isTreeInode: hasInode, isJournaled: true, isObserved: hasInode, isObservedPlace: true)
    }
    func decide(_ candidates: [Candidate]) -> String {
      let bookmark = verdict([]).bookmark
      return path(BookmarkVerdict(bookmark, candidates).certain)
    }
    let old = Candidate(look: look("/home/before", tag: .uuid(Self.uuid)), isInode: true)
    let saved = look(Self.home, inode: 6, born: 2_000)
    #expect(decide([old, observed(saved, hasInode: true)]) == "/home/letter.txt")
    // It is a moment behind: what stands there now is not what it has seen.
    #expect(decide([old, observed(saved, hasInode: false)]) == "/home/before")
    #expect(decide([observed(saved, hasInode: false)]) == "/home/letter.txt")
    let stranger = look(Self.home, inode: 6, born: 2_000, tag: .uuid(Self.other))
    #expect(decide([observed(stranger, hasInode: true)]) == "none")
  }
}

/// Whether a look was at the inode that a bookmark has recorded.
struct FileTraitsTests {
  private func look(inode: UInt64 = 5, born: Int64 = 1_000, size: Int64 = 1, on fileSystem: UInt64 = 3) -> FileLook {
    let status = FileStatus(device: 1, inode: inode, born: born, kind: .file, size: size, modified: 9)
    return FileLook(path: "/a", status: status, tag: .none, fileSystem: fileSystem)
  }

  private func handle(_ bytes: UInt8...) -> LastingHandle? { LastingHandle(type: 1, bytes: bytes) }

  @Test func aNumberIsNothingWithoutABirthTime() {
    let traits = FileTraits(look(), isTagged: true)
    #expect(traits.match(look(), isInPlace: false))
    #expect(!traits.match(look(inode: 6), isInPlace: true))
    #expect(!traits.match(look(born: 1_001), isInPlace: true))
    let unborn = FileTraits(look(born: 0), isTagged: true)
    #expect(unborn.match(look(born: 0), isInPlace: true))
    #expect(!unborn.match(look(born: 0), isInPlace: false))
    #expect(!unborn.match(look(), isInPlace: true))
  }

  /// The identifier of some file systems is the number of their disk.
  @Test func anotherFileSystemIsTheSameAtTheSamePlaceOnly() {
    let traits = FileTraits(look(), isTagged: true)
    #expect(traits.match(look(on: 4), isInPlace: true))
    #expect(!traits.match(look(on: 4), isInPlace: false))
    var first = look()
    first.handle = handle(1)
    let certain = FileTraits(first, isTagged: true)
    first.fileSystem = 4
    #expect(certain.match(first, isInPlace: false))
    first.status.born += 1
    #expect(!certain.match(first, isInPlace: false))
  }

  @Test func aHandleDecides() {
    var first = look(born: 0)
    first.handle = handle(1)
    let traits = FileTraits(first, isTagged: false)
    var same = first
    same.status.size = 7
    #expect(traits.match(same, isInPlace: false) && traits.content == nil)
    var other = first
    other.handle = handle(2)
    #expect(!traits.match(other, isInPlace: true))
  }

  /// FAT gives a file another inode number with each mount.
  @Test func aNumberThatDoesNotLastIsReplacedByTheBirthTimeAtTheSamePlace() {
    var first = look()
    first.hasLastingInode = false
    let traits = FileTraits(first, isTagged: false)
    var later = look(inode: 99, size: 5)
    later.hasLastingInode = false
    #expect(traits.match(later, isInPlace: true))
    #expect(!traits.match(later, isInPlace: false))
    later.status.born = 2_000
    #expect(!traits.match(later, isInPlace: true))
  }

  /// A FUSE file system has neither lasting numbers nor birth times.
  @Test func whereNothingLastsTheContentDecides() {
    var first = look(born: 0)
    first.hasLastingInode = false
    let traits = FileTraits(first, isTagged: false)
    #expect(traits.content == FileTraits.Content(size: 1, modified: 9))
    var later = look(inode: 99, born: 0)
    later.hasLastingInode = false
    #expect(traits.match(later, isInPlace: true))
    #expect(!traits.match(later, isInPlace: false))
    later.status.size = 2
    #expect(!traits.match(later, isInPlace: true))
    // Renamed, with the number that it had.
    #expect(traits.match(first, isInPlace: false))
  }
}
