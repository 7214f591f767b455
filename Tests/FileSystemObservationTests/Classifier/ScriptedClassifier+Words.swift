import FileEvents
import LinuxFileSystem

@testable import FileSystemObservation

// The words of a script: what programs do, and what the kernel tells of it at once.
//
// | words | |
// |---|---|
// | `new A`, `append A` | a file that is complete; one that is written and closed |
// | `create A`, `write A`, `close A` | a file that is open |
// | `mkdir A`, `link A B`, `rename A B`, `exchange A B`, `unlink A`, `rmdir A` | |
// | `copy A B`, `copy-a A B` | without the tag; with it and the times |
// | `fill A 7` | a file has a size that counts as evidence, and the content with this number |
// | `600ms`, `…` | so much time passes, or so much that all is decided |

extension ScriptedClassifier {
  /// Does what a script says, and takes in what follows.
  mutating func perform(_ script: String) {
    var words = script.split { $0.isWhitespace || $0 == ";" }.map { String($0) }[...]
    while let word = words.popFirst() {
      if word == "…" {
        pass(20_000_000_000)
      } else if word.hasSuffix("ms"), let count = Int64(word.dropLast(2)) {
        pass(count * 1_000_000)
      } else {
        perform(word, &words)
        takeIn()
      }
    }
  }

  private mutating func perform(_ verb: String, _ words: inout ArraySlice<String>) {
    guard let place = disk.place(words.popFirst() ?? "") else { return note("no such folder: \(verb)") }
    switch verb {
    case "new": make(place, thenSays: [.created, .written, .closed])
    case "create": make(place, thenSays: [.created])
    case "mkdir": makeDirectory(place)
    case "append": write(place, thenSays: [.written, .closed])
    case "write": write(place, thenSays: [.written])
    case "close": close(place)
    case "unlink", "rmdir": remove(place)
    case "fill": fill(place, UInt64(words.popFirst() ?? ""))
    default:
      guard let other = disk.place(words.popFirst() ?? "") else { return note("no such folder: \(verb)") }
      perform(verb, place, other)
    }
  }

  private mutating func perform(_ verb: String, _ place: ScriptedDisk.Place, _ other: ScriptedDisk.Place) {
    switch verb {
    case "rename": rename(place, to: other)
    case "exchange": exchange(place, other)
    case "link": link(place, to: other)
    case "copy": copy(place, to: other, withTag: false)
    case "copy-a": copy(place, to: other, withTag: true)
    default: note("no such word: \(verb)")
    }
  }
}

// MARK: - What programs do

extension ScriptedClassifier {
  private mutating func make(_ place: ScriptedDisk.Place, thenSays kinds: [HintKinds]) {
    disk.make(.file, at: place, wallClock)
    disk.change(place) { $0.isBeingWritten = !kinds.contains(.closed) }
    if kinds.contains(.written) { disk.change(place) { $0.size = 1 } }
    for kinds in kinds { tell(kinds, at: place) }
  }

  private mutating func makeDirectory(_ place: ScriptedDisk.Place) {
    disk.make(.directory, at: place, wallClock)
    tell([.created, .directory], at: place)
  }

  private mutating func write(_ place: ScriptedDisk.Place, thenSays kinds: [HintKinds]) {
    let now = wallClock
    disk.change(place) { inode in
      inode.size += 1
      inode.modified = now
    }
    for kinds in kinds { tell(kinds, at: place) }
  }

  private mutating func close(_ place: ScriptedDisk.Place) {
    disk.change(place) { $0.isBeingWritten = false }
    tell(.closed, at: place)
  }

  private mutating func fill(_ place: ScriptedDisk.Place, _ content: UInt64?) {
    disk.change(place) { ($0.size, $0.content) = (1_000, content) }
  }

  private mutating func remove(_ place: ScriptedDisk.Place) {
    let kinds = kinds(.removed, at: place)
    disk.unlink(place)
    tell(kinds, at: place)
  }

  private mutating func link(_ place: ScriptedDisk.Place, to other: ScriptedDisk.Place) {
    disk.link(place, to: other)
    tell(.attributes, at: place)
    tell(.created, at: other)
  }

  private mutating func copy(_ place: ScriptedDisk.Place, to other: ScriptedDisk.Place, withTag: Bool) {
    guard let original = disk.number(at: place).flatMap({ disk[$0] }) else { return }
    disk.make(.file, at: other, wallClock)
    disk.change(other) { inode in
      (inode.size, inode.content) = (original.size, original.content)
      if withTag { (inode.tag, inode.modified) = (original.tag, original.modified) }
    }
    for kinds: HintKinds in [.created, .written, .attributes, .closed] { tell(kinds, at: other) }
  }

  private mutating func rename(_ place: ScriptedDisk.Place, to other: ScriptedDisk.Place) {
    let (from, to) = (kinds(.movedFrom, at: place), kinds(.movedTo, at: place))
    disk.rename(place, to: other)
    lastCookie += 1
    tell(from, at: place, cookie: lastCookie)
    tell(to, at: other, cookie: lastCookie)
  }

  private mutating func exchange(_ place: ScriptedDisk.Place, _ other: ScriptedDisk.Place) {
    let isDirectory = (isDirectory(place), isDirectory(other))
    disk.exchange(place, other)
    guard let one = self.place(place), let two = self.place(other) else { return }
    classifier.exchange(one, two, isDirectory: isDirectory)
  }

  private func isDirectory(_ place: ScriptedDisk.Place) -> Bool {
    disk.number(at: place).flatMap { disk[$0] }?.kind == .directory
  }

  private func kinds(_ kinds: HintKinds, at place: ScriptedDisk.Place) -> HintKinds {
    isDirectory(place) ? kinds.union(.directory) : kinds
  }
}
