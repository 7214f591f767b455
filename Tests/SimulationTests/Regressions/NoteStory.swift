import ObservationSimulation
import Testing

/// Operations on three notes in two folders, and on the folders if asked for, with a pause after each.
struct NoteStory: CustomStringConvertible {
  enum Operation {
    case save(String, String)
    case move(String, String)
    case swap(String, String, by: String)
    case makeFolder(String)
  }

  private static let saves = [
    "open X; write X; close X", "new .t; rename .t X", "new t; rename t X", "rename X X~; new X; unlink X~",
    "rename X X~; new X", "unlink X; new X", "link X X.h; new .t; rename .t X; unlink X.h",
  ]
  private var steps: [(operation: Operation, pause: String)] = []

  init(seed: UInt64, pauses: [String], withFolders: Bool = false) {
    var random = Random(seed: seed)
    var tree = NoteTree()
    for number in 1...10 {
      let operation =
        withFolders && random.chance(1, of: 3)
        ? Self.folderOperation(number, in: tree, &random) : Self.noteOperation(number, in: tree, &random)
      if tree.perform(operation) { steps.append((operation, pauses[random.below(pauses.count)])) }
    }
  }

  private init(_ steps: [(operation: Operation, pause: String)]) { self.steps = steps }

  private static func noteOperation(_ number: Int, in tree: NoteTree, _ random: inout Random) -> Operation {
    let one = tree.notes[random.below(3)], other = tree.notes[random.below(3)]
    switch random.below(4) {
    case 0, 1: return .save(saves[random.below(saves.count)], one)
    case 2 where one != other: return .swap(one, other, by: random.chance(1, of: 2) ? "t" : "t\(number)")
    default: return .move(one, "\(tree.folders[random.below(tree.folders.count)])/n\(number)")
    }
  }

  private static func folderOperation(_ number: Int, in tree: NoteTree, _ random: inout Random) -> Operation {
    let one = tree.folders[random.below(tree.folders.count)], other = tree.folders[random.below(tree.folders.count)]
    switch random.below(4) {
    case 0: return .makeFolder("f\(number)")
    case 1 where one != other: return .swap(one, other, by: random.chance(1, of: 2) ? "t" : "t\(number)")
    case 2 where one != other: return .move(one, "\(other)/f\(number)")
    default: return .move(one, "f\(number)")
    }
  }

  var description: String { steps.map { "\(Self.script($0.operation)) \($0.pause)" }.joined(separator: "; ") }

  private static func script(_ operation: Operation) -> String {
    switch operation {
    case .makeFolder(let path): return "mkdir \(path)"
    case .move(let one, let other): return "rename \(one) \(other)"
    case .swap(let one, let other, let name):
      return "rename \(one) \(name); rename \(other) \(one); rename \(name) \(other)"
    case .save(let style, let place):
      let folder = place.prefix(through: place.lastIndex(of: "/") ?? place.startIndex)
      return style.replacing("X", with: place).replacing(".t", with: "\(folder).t")
        .replacing(" t", with: " \(folder)new")
    }
  }

  /// Whether a note is not what it was.
  func isBroken(_ source: SimulatedSource) -> Bool {
    var tree = NoteTree()
    guard steps.allSatisfy({ tree.perform($0.operation) }) else { return false }
    let world = Scenario("mkdir p; mkdir q; new p/a; new p/b; new q/c", source: source)
    let before = NoteTree().notes.map { world.identity($0) }
    world.runs("\(self) | …")
    return tree.notes.map { world.identity($0) } != before
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

/// Where the notes and the folders of a story are.
struct NoteTree {
  private(set) var notes = ["p/a", "p/b", "q/c"]
  private(set) var folders = ["p", "q"]

  /// Does an operation if it is possible, and returns whether it is.
  mutating func perform(_ operation: NoteStory.Operation) -> Bool {
    var tree = self
    guard tree.performAnyway(operation) else { return false }
    self = tree
    return true
  }

  private mutating func performAnyway(_ operation: NoteStory.Operation) -> Bool {
    switch operation {
    case .save(_, let place): return notes.contains(place)
    case .makeFolder(let path):
      if exists(path) { return false }
      folders.append(path)
      return true
    case .move(let one, let other): return move(one, other)
    case .swap(let one, let other, let name): return move(one, name) && move(other, one) && move(name, other)
    }
  }

  private mutating func move(_ one: String, _ other: String) -> Bool {
    guard exists(one), !exists(other), isFolder(above: other), !other.hasPrefix("\(one)/") else { return false }
    func moved(_ path: String) -> String {
      path == one || path.hasPrefix("\(one)/") ? other + path.dropFirst(one.count) : path
    }
    notes = notes.map(moved)
    folders = folders.map(moved)
    return true
  }

  private func exists(_ path: String) -> Bool { notes.contains(path) || folders.contains(path) }

  private func isFolder(above path: String) -> Bool {
    path.lastIndex(of: "/").map { folders.contains(String(path[..<$0])) } ?? true
  }
}
