import ObservationSimulation
import TestTraits
import Testing

/// Notes that scripts rename, swap and save faster than anything can be decided: each stays itself.
@Suite(.processor) struct NotesAtScriptPaceTests {
  /// The pauses between operations.
  private static let pauses = ["", "|", "| 1ms |", "| 5ms |", "| 50ms |", "| 200ms |", "| 600ms |"]

  @Test(arguments: 1...80 as ClosedRange<UInt64>, [SimulatedSource.inotify, .fanotify])
  func eachNoteStaysItself(_ seed: UInt64, _ source: SimulatedSource) {
    check(NoteStory(seed: seed, pauses: ["|"]), source)
    check(NoteStory(seed: seed, pauses: Self.pauses), source)
  }

  @Test(arguments: 1...80 as ClosedRange<UInt64>, [SimulatedSource.inotify, .fanotify])
  func eachNoteStaysItselfInFoldersThatMove(_ seed: UInt64, _ source: SimulatedSource) {
    check(NoteStory(seed: seed, pauses: ["|"], withFolders: true), source)
    check(NoteStory(seed: seed, pauses: Self.pauses, withFolders: true), source)
  }

  /// The observer takes a few events at a time while others are on their way.
  @Test(
    arguments: [253, 382, 430, 594, 969, 1003, 1162, 1552, 1638] + Array(1...40) as [UInt64],
    [SimulatedSource.inotify, .fanotify])
  func eachNoteStaysItselfWhereEventsComeInParts(_ seed: UInt64, _ source: SimulatedSource) {
    check(NoteStory(seed: seed, pauses: ["", "", "|1", "|2", "|4", "|7", "|15", "|"]), source)
  }

  /// The observer stands still meanwhile: fanotify leaves out repeated renames.
  @Test(arguments: 1...80 as ClosedRange<UInt64>, [SimulatedSource.inotify, .fanotify])
  func eachNoteStaysItselfWhileNobodyReads(_ seed: UInt64, _ source: SimulatedSource) {
    check(NoteStory(seed: seed, pauses: [""]), source)
  }

  private func check(_ story: NoteStory, _ source: SimulatedSource) {
    if story.isBroken(source) { Issue.record("\(source): \(story.shortened(source))") }
  }
}
