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

  /// The observer stands still meanwhile: fanotify leaves out repeated renames.
  @Test(arguments: 1...80 as ClosedRange<UInt64>, [SimulatedSource.inotify, .fanotify])
  func eachNoteStaysItselfWhileNobodyReads(_ seed: UInt64, _ source: SimulatedSource) {
    check(NoteStory(seed: seed, pauses: [""]), source)
  }

  private func check(_ story: NoteStory, _ source: SimulatedSource) {
    if story.isBroken(source) { Issue.record("\(source): \(story.shortened(source))") }
  }
}

/// Operations on three notes in two folders, with a pause after each.
private struct NoteStory: CustomStringConvertible {
  enum Operation {
    case save(String, String)
    case move(String, String)
    case swap(String, String, by: String)
  }

  static let notes = ["p/a", "p/b", "q/c"]
  private static let saves = [
    "open X; write X; close X", "new .t; rename .t X", "new t; rename t X", "rename X X~; new X; unlink X~",
    "rename X X~; new X", "unlink X; new X", "link X X.h; new .t; rename .t X; unlink X.h",
  ]
  private var steps: [(operation: Operation, pause: String)] = []

  init(seed: UInt64, pauses: [String]) {
    var random = Random(seed: seed)
    var places = Self.notes
    for number in 1...10 {
      let one = random.below(3), other = random.below(3)
      let operation: Operation
      switch random.below(4) {
      case 0, 1: operation = .save(Self.saves[random.below(Self.saves.count)], places[one])
      case 2 where one != other:
        operation = .swap(places[one], places[other], by: random.chance(1, of: 2) ? "t" : "t\(number)")
        places.swapAt(one, other)
      default:
        let place = (random.chance(1, of: 2) ? "p/" : "q/") + "n\(number)"
        operation = .move(places[one], place)
        places[one] = place
      }
      steps.append((operation, pauses[random.below(pauses.count)]))
    }
  }

  private init(_ steps: [(operation: Operation, pause: String)]) { self.steps = steps }

  var description: String { steps.map { "\(Self.script($0.operation)) \($0.pause)" }.joined(separator: "; ") }

  private static func script(_ operation: Operation) -> String {
    switch operation {
    case .move(let one, let other): return "rename \(one) \(other)"
    case .swap(let one, let other, let name):
      return "rename \(one) \(name); rename \(other) \(one); rename \(name) \(other)"
    case .save(let style, let place):
      let folder = place.prefix(2)
      return style.replacing("X", with: place).replacing(".t", with: "\(folder).t")
        .replacing(" t", with: " \(folder)new")
    }
  }

  /// Where each note is in the end; `nil` if an operation is not possible.
  private var places: [String]? {
    var places = Self.notes
    for step in steps {
      switch step.operation {
      case .save(_, let place): guard places.contains(place) else { return nil }
      case .move(let one, let other):
        guard let index = places.firstIndex(of: one), !places.contains(other) else { return nil }
        places[index] = other
      case .swap(let one, let other, _):
        guard let first = places.firstIndex(of: one), let second = places.firstIndex(of: other) else { return nil }
        places.swapAt(first, second)
      }
    }
    return places
  }

  /// Whether a note is not what it was.
  func isBroken(_ source: SimulatedSource) -> Bool {
    guard let places else { return false }
    let world = Scenario("mkdir p; mkdir q; new p/a; new p/b; new q/c", source: source)
    let before = Self.notes.map { world.identity($0) }
    world.runs("\(self) | …")
    return places.map { world.identity($0) } != before
  }

  /// The story without the steps that it does not need.
  func shortened(_ source: SimulatedSource) -> NoteStory {
    for index in steps.indices {
      var fewer = steps
      fewer.remove(at: index)
      let story = NoteStory(fewer)
      if story.isBroken(source) { return story.shortened(source) }
    }
    return self
  }
}
