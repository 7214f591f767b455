import FileSystemObservation
import FoundationEssentials
import SystemPackage
import Testing

/// What an app keeps of its documents follows them.
struct DocumentValuesTests {
  private static let directory: FilePath = "/T"
  private static let date = Date(timeIntervalSince1970: 1_000_000)

  private let letter = UUID()
  private let copy = UUID()

  private func item(_ path: String, _ uuid: UUID, _ kind: FileSystemItem.Kind = .file) -> FileSystemItem.Snapshot {
    FileSystemItem.Snapshot(uuid: uuid, kind: kind, relativePath: FilePath(path), directory: Self.directory)
  }

  private func set(_ changes: FileSystemChange...) -> FileSystemChanges {
    FileSystemChanges(changes, directory: Self.directory)
  }

  private func duplicated(of original: UUID) -> FileSystemChanges {
    set(FileSystemChange(.duplicated(of: .init(uuid: original, path: "/T/letter")), item("copy", copy)))
  }

  private func deleted(_ uuid: UUID) -> FileSystemChanges {
    set(FileSystemChange(.deleted(.trashed), item("letter", uuid)))
  }

  /// The values of a letter with five stars.
  private func rated() -> DocumentValues<Int> {
    var ratings = DocumentValues<Int>()
    ratings[letter] = 5
    return ratings
  }

  @Test func aRenamedAndSavedDocumentKeepsItsValue() {
    var ratings = rated()
    let changed = ratings.apply(
      set(
        FileSystemChange(.renamed(from: "/T/letter"), item("note", letter)),
        FileSystemChange(.modified, item("note", letter))))
    #expect(changed.isEmpty && ratings[letter] == 5 && ratings.count == 1)
    #expect(Array(ratings.uuids) == [letter] && ratings.map(\.value) == [5])
  }

  @Test func aDefaultIsNoValueUntilItIsChanged() {
    var ratings = rated()
    #expect(ratings[copy, default: 3] == 3 && ratings[letter, default: 3] == 5 && ratings.count == 1)
    ratings[copy, default: 3] += 1
    let changes = ratings.takeChanges()
    #expect(ratings[copy] == 4 && changes.updated.map(\.uuid).contains(copy))
  }

  @Test func aCopyHasTheValueOfItsOriginal() {
    var ratings = rated()
    #expect(ratings.apply(duplicated(of: letter)) == [copy])
    #expect(ratings[copy] == 5)
    // The value of the copy is its own from now on.
    ratings[copy] = 1
    #expect(ratings.apply(duplicated(of: letter)).isEmpty && ratings[copy] == 1 && ratings[letter] == 5)
  }

  @Test func theAppSaysWhatACopyHas() {
    var ratings = rated()
    #expect(ratings.apply(duplicated(of: letter)) { _ in nil }.isEmpty && ratings[copy] == nil)
    #expect(ratings.apply(duplicated(of: letter)) { $0 - 1 } == [copy] && ratings[copy] == 4)
  }

  @Test func aDocumentThatIsGoneKeepsItsValueForAWhile() {
    var ratings = rated()
    ratings.apply(deleted(letter), at: Self.date)
    #expect(ratings[letter] == 5 && ratings.goneSince(letter) == Self.date)
    // It is not gone anew, and what the app notes of it does not bring it back.
    ratings.apply(deleted(letter), at: Self.date + 10)
    ratings[letter] = 4
    #expect(ratings.goneSince(letter) == Self.date)
    #expect(ratings.forget(goneBefore: Self.date).isEmpty && ratings[letter] == 4)
    var returned = ratings
    returned.apply(set(FileSystemChange(.discovered(isCopying: false, isReturned: true), item("letter", letter))))
    #expect(returned.goneSince(letter) == nil && returned.forget(goneBefore: .distantFuture).isEmpty)
    #expect(ratings.forget(goneBefore: Self.date + 1) == [letter] && ratings.isEmpty)
  }

  @Test func aResetBringsDocumentsBackAndTakesNoneAway() throws {
    var ratings = rated()
    ratings[copy] = 3
    ratings.apply(deleted(letter), at: Self.date)
    var tree = FileSystemTree(directory: Self.directory)
    tree.apply(set(FileSystemChange(.discovered(isCopying: false, isReturned: false), item("letter", letter))))
    #expect(ratings.apply(.reset(FileSystemSnapshot(Array(tree), directory: Self.directory), .tooOld)).isEmpty)
    #expect(ratings.goneSince(letter) == nil && ratings.goneSince(copy) == nil && ratings.count == 2)
  }

  // MARK: - Copies that their originals take over

  /// The copy ends, and the letter goes on in its place.
  private func takeOver() -> FileSystemChanges {
    set(
      FileSystemChange(.deleted(.replaced), item("copy", copy)),
      FileSystemChange(.renamed(from: "/T/letter"), item("copy", letter)))
  }

  @Test func whatWasNotedOfACopyGoesToTheOriginalInItsPlace() {
    var ratings = rated()
    ratings.apply(duplicated(of: letter))
    ratings[copy] = 2
    #expect(ratings.apply(takeOver()) == [letter, copy])
    #expect(ratings[letter] == 2 && ratings[copy] == nil)
  }

  @Test func whatACopyHadFromItsOriginalDoesNot() {
    var ratings = rated()
    ratings.apply(duplicated(of: letter))
    ratings[letter] = 1
    #expect(ratings.apply(takeOver()) == [copy] && ratings[letter] == 1 && ratings[copy] == nil)
  }

  @Test func aDocumentMovedOverAnotherHasItsOwn() {
    var ratings = rated()
    ratings[copy] = 2
    #expect(ratings.apply(takeOver()).isEmpty)
    #expect(ratings[letter] == 5 && ratings[copy] == 2 && ratings.goneSince(copy) != nil)
  }

  // MARK: - In a file

  @Test func valuesAreEncodedWithAllThatIsKnown() throws {
    var ratings = rated()
    ratings.apply(duplicated(of: letter), at: Self.date)
    ratings.apply(deleted(letter), at: Self.date)
    let data = try JSONEncoder().encode(ratings)
    var decoded = try JSONDecoder().decode(DocumentValues<Int>.self, from: data)
    #expect(decoded == ratings && decoded.goneSince(letter) == Self.date)
    // A copy is still known as one, and that its value is not its own.
    #expect(decoded.apply(takeOver()) == [copy] && decoded[letter] == 5)
  }

  @Test func aFileWrittenByHandIsRead() throws {
    let text = #"{"documents": [{"uuid": "\#(letter)", "value": 5}]}"#
    #expect(try JSONDecoder().decode(DocumentValues<Int>.self, from: Data(text.utf8)) == rated())
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(DocumentValues<Int>.self, from: Data("{}".utf8)) }
  }
}
