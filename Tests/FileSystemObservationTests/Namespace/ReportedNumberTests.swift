import FileEvents
import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// An inode number that is reported, and that a document had when it was last seen.
struct ReportedNumberTests {
  /// Which document a report is of: the one whose inode number it names, or the one at its place.
  private enum Answer: Equatable { case byNumber, byPlace, none }

  /// Reports a file with the number of `letter` at the place of `note`.
  private func report(
    _ kinds: HintKinds, whereLetterIs state: UnresolvedEntry.BelievedLocation?, leftByRename: Bool = false,
    after prepare: (inout Classifier, HintedFile) -> Void = { _, _ in }
  ) throws -> Answer {
    var script = ScriptedClassifier("new letter new note")
    let letter = Place(parent: .root, name: FileName("letter"))
    let note = Place(parent: .root, name: FileName("note"))
    let found = script.classifier.graph.node(at: letter)
    let atPlace = script.classifier.graph.node(at: note)
    let (id, other) = (try #require(found), try #require(atPlace))
    let inode = script.classifier.graph.key(id).inode
    let file = HintedFile(handle: FileHandle(digest: Digest(high: inode, low: 2)), inode: inode)
    _ = script.classifier.noteUnordered([note], isNew: true)
    if let state { script.classifier.markUnresolved(id, state, leftByRename: leftByRename) }
    prepare(&script.classifier, file)
    script.classifier.noteReport(kinds, of: file, at: note)
    switch script.classifier.reportedPlaces.document(of: file) {
    case id: return .byNumber
    case other: return .byPlace
    default: return .none
    }
  }

  @Test func aDocumentThatHasItsNameIsKnownByItsNumber() throws {
    #expect(try report(.movedTo, whereLetterIs: nil) == .byNumber)
    #expect(try report(.movedTo, whereLetterIs: .unknown, leftByRename: true) == .byNumber)
  }

  /// It may have been removed while nothing was observed, and a program's new file have its number.
  @Test func aDocumentThatAListingMissesIsNot() throws {
    #expect(try report(.movedTo, whereLetterIs: .unknown) == .byPlace)
    #expect(try report(.movedTo, whereLetterIs: .gone) == .byPlace)
  }

  @Test func aFileThatWasMadeIsAnother() throws {
    #expect(try report([.created, .closed], whereLetterIs: nil) == .byPlace)
    let answer = try report(.movedTo, whereLetterIs: nil) { $0.noteNewFile($1, in: .root) }
    #expect(answer == .byPlace)
  }

  /// Its writing is not reported yet, but a look has found it, and it was born later.
  @Test func aFileThatWasFoundIsAnother() throws {
    let answer = try report(.created, whereLetterIs: nil) { classifier, file in
      let key = FileKey(device: classifier.graph.key(.root).device, inode: file.inode, born: .max)
      let (place, now) = (Place(parent: .root, name: FileName("new")), classifier.now)
      classifier.put(Arrival(unseen: key, .file, at: now, nextCheck: now), at: place)
    }
    #expect(answer == .byPlace)
  }
}
