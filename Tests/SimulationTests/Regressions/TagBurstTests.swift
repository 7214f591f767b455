import ObservationSimulation
import Testing

/// Where many files arrive at once, their tags are written in one go after that rests, and what is told does not wait
/// for it.
struct TagBurstTests {
  private static func files(_ range: Range<Int>, _ command: String) -> String {
    range.map { "\(command) f\($0)" }.joined(separator: "; ")
  }

  @Test func theTagsOfACheckoutAreWrittenInOneGo() {
    let world = Scenario()
    let before = world.tagWrites
    world.play(Self.files(0..<40, "new") + " | 300ms")
    world.play(Self.files(40..<60, "new") + " | 600ms")
    #expect(world.told.filter { $0.hasPrefix("copyFinished") }.count == 40)
    #expect(world.told.count == 80)
    #expect(world.tagWrites == before)
    world.runs("")
    #expect(world.tagWrites == before + 60)
    #expect((0..<60).allSatisfy { world.tag("f\($0)") != nil && world.tag("f\($0)") == world.identity("f\($0)") })
  }

  /// git removes a file and makes it anew; the tags of the old files go to the new ones.
  @Test func theTagsOfRewrittenDocumentsWaitToo() {
    let world = Scenario(Self.files(0..<40, "new"))
    let identities = (0..<40).map { world.identity("f\($0)") }
    let before = world.tagWrites
    func rewriting(_ range: Range<Int>) -> String {
      range.map { "unlink f\($0); new f\($0)" }.joined(separator: "; ")
    }
    world.play(rewriting(0..<20) + " | 300ms")
    world.play(rewriting(20..<40) + " | 600ms")
    #expect(world.told.filter { $0.hasPrefix("modified") }.count == 20)
    #expect(world.tagWrites == before)
    world.runs("")
    #expect(world.tagWrites == before + 40)
    #expect((0..<40).map { world.tag("f\($0)") } == identities && !identities.contains(nil))
  }

  @Test func aFewFilesHaveTheirTagsAtOnce() {
    let world = Scenario()
    let before = world.tagWrites
    world.play(Self.files(0..<8, "new") + " | 800ms")
    #expect(world.tagWrites == before + 8)
    world.runs("")
  }

  /// What is done with the files meanwhile.
  @Test func whatHappensToFilesWhoseTagsWaitIsTold() {
    let world = Scenario()
    world.play("mkdir d | 1200ms")
    world.play(Self.files(0..<40, "new") + " | 800ms")
    world.runs("rename f1 d/f1; unlink f2; append f3; new t; rename t f4; rename f5 g; link f6 h; exchange f7 f8")
    for name in ["d/f1", "f3", "f4", "g", "f6", "h", "f7", "f8", "f9", "f39"] {
      #expect(world.tag(name) != nil && world.tag(name) == world.identity(name), "\(name)")
    }
  }
}
