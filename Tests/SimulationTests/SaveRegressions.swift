import ObservationSimulation
import Testing

/// Saves that were misunderstood once, with the looks of the observer that it took.
@Suite struct SaveRegressions {
  /// A temporary file was looked at when it had been renamed already and another of its name was there: the document was taken for that.
  @Test func temporaryFileIsReplacedBeforeItIsLookedAt() {
    let scene = Scene("report.txt")
    scene.does("create report.txt.new", "write report.txt.new", "close report.txt.new")
    scene.takesEvents(2)
    scene.passes(milliseconds: 100)
    scene.does("unlink report.txt", "rename report.txt.new => report.txt", "create report.txt.new")
    scene.takesEvents(3)
    scene.takesEvents()
    scene.does("write report.txt.new", "close report.txt.new", "unlink report.txt")
    scene.takesEvents()
    for _ in 0..<3 { scene.passes(milliseconds: 10) }
    scene.does("rename report.txt.new => report.txt")
    #expect(scene.end() == ["modified report.txt"])
  }
}
