import FileIdentity
import LinuxFileSystem
import TestTraits
import Testing

@testable import FileSystemObservation

/// What a classifier makes of contents, without a disk: a script says what programs do.
@Suite(.light) struct EvidenceTests {
  /// A classifier that knows the contents of files: `a` has content 1, `b` content 2.
  private func scripted(_ more: String = "") -> ScriptedClassifier {
    var script = ScriptedClassifier()
    script.classifier.useContents(KnownContents(sizes: 64 ... .max))
    script.perform("new a fill a 1 new b fill b 2 mkdir d \(more) …")
    script.readContents()
    script.forget()
    return script
  }

  @Test func aCopyWithoutATagIsACopy() {
    var script = scripted()
    script.run("copy a c …", tells: ["duplicated a => c", "copyFinished c"])
    #expect(script.tag("c") == script.identity("c") && script.identity("c") != script.identity("a"))
  }

  @Test func theCopyIsTheDocumentIfTheOriginalGoes() {
    var script = scripted()
    let identity = script.identity("a")
    script.run("copy a d/c unlink a …", tells: ["moved a -> d/c"])
    #expect(script.identity("d/c") == identity && script.tag("d/c") == identity)
    // Its content is known without another reading.
    script.run("copy d/c e …", tells: ["duplicated d/c => e", "copyFinished e"])
  }

  @Test func theOriginalMayGoLongAfterTheCopyHasBegun() {
    var script = scripted()
    // It is announced while it is written, and then proves to be the document.
    script.run(
      "create c fill c 1 1500ms close c 300ms unlink a …",
      tells: ["discovered(copying) c", "deleted c (removed)", "renamed a -> c"])
  }

  @Test func aCopyOfACopyIsACopyOfTheDocument() {
    var script = scripted()
    script.perform("copy a c …")
    script.run("copy c e …", tells: ["duplicated a => e", "copyFinished e"])
  }

  @Test func twoDocumentsWithOneContentHaveNoCopies() {
    var script = scripted("new e fill e 1")
    script.run("copy a c …", tells: ["discovered c", "copyFinished c"])
  }

  @Test func twoCopiesOfADocumentThatGoesAreNeither() {
    var script = scripted()
    script.run(
      "copy a c copy a e unlink a …",
      tells: ["discovered c", "copyFinished c", "discovered e", "copyFinished e", "deleted a (removed)"])
  }

  @Test func aDocumentOfAnotherContentIsNew() {
    var script = scripted()
    script.run("new c fill c 3 unlink a …", tells: ["deleted a (removed)", "discovered c", "copyFinished c"])
  }

  /// A download is written all the time; it must not keep others from being recognised.
  @Test func aFileThatIsWrittenMeanwhileDoesNotHinderAMove() {
    var script = scripted()
    script.run(
      "create z write z 300ms copy a c unlink a write z 300ms write z 300ms write z 300ms write z 300ms write z 300ms",
      tells: ["discovered(copying) z", "renamed a -> c"])
  }

  @Test func anotherCopyThatIsStillWrittenIsWaitedFor() {
    var script = scripted()
    script.run(
      "copy a c create e fill e 1 write e unlink a 600ms", tells: [])
    script.run(
      "fill e 1 close e …",
      tells: [
        "discovered e", "copyFinished e", "discovered c", "copyFinished c", "deleted a (removed)",
      ])
  }

  @Test func aSaveStaysASave() {
    var script = scripted()
    let identity = script.identity("a")
    script.run("copy b a~ rename a~ a …", tells: ["modified a"])
    #expect(script.identity("a") == identity)
  }

  @Test func aContentThatDoesNotComeHoldsNothingUpForLong() {
    var script = scripted()
    script.answersContents = false
    script.run("copy a c 600ms", tells: [])
    script.run("2200ms", tells: ["discovered c", "copyFinished c"])
    // Nothing is waited for in the end.
    script.run("copy a e unlink a 5000ms", tells: ["discovered e", "copyFinished e", "deleted a (removed)"])
  }

  @Test func whereNoFileHasTheSizeNothingIsRead() {
    var script = scripted()
    script.perform("new c 800ms")
    #expect(!script.asked.contains { $0.hasPrefix("read") })
    script.perform("copy a e 800ms")
    #expect(script.asked.filter { $0.hasPrefix("read") } == ["read e"])
  }

  @Test func withoutContentsNothingIsAskedOrDelayed() {
    var script = ScriptedClassifier("new a fill a 1")
    script.run("copy a c unlink a 800ms", tells: ["deleted a (removed)", "discovered c", "copyFinished c"])
    #expect(!script.asked.contains { $0.hasPrefix("read") })
  }

  @Test func aFolderThatIsCopiedAndRemovedHandsItsDocumentsOver() {
    var script = scripted("mkdir f new f/x fill f/x 8 new f/y fill f/y 9")
    let identity = script.identity("f/x")
    script.perform("mkdir g copy f/x g/x copy f/y g/y unlink f/x unlink f/y rmdir f …")
    #expect(script.problems == [])
    #expect(script.told.sorted() == ["deleted f (removed)", "discovered g", "moved f/x -> g/x", "moved f/y -> g/y"])
    #expect(script.identity("g/x") == identity)
  }
}
