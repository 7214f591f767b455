import FileTestSupport
import LinuxFileSystem
import Testing

@testable import FileEvents

/// What is different between two listings.
struct DirectoryShadowTests {
  private func shadow(_ entries: [(String, FileStatus)]) -> DirectoryShadow {
    var shadow = DirectoryShadow()
    for (name, status) in entries { FileName(name).withView { shadow.append($0, status) } }
    return shadow
  }

  private func file(_ inode: UInt64, size: Int64 = 0, modified: Int64 = 1, changed: Int64 = 1) -> FileStatus {
    FileStatus(
      device: 1, inode: inode, born: 0, kind: .file, size: size, modified: modified, changed: changed)
  }

  private func differences(_ old: [(String, FileStatus)], _ new: [(String, FileStatus)]) -> [String: HintKinds] {
    var found: [String: HintKinds] = [:]
    shadow(old).forEachDifference(to: shadow(new)) { found[$0.name.description] = $0.kinds }
    return found
  }

  @Test func nothingIsDifferentInTheSameListing() {
    let entries = (0..<50).map { ("name \($0)", file($0)) }
    #expect(differences(entries, entries).isEmpty)
    #expect(differences(entries, entries.reversed()).isEmpty, "the order says nothing")
    #expect(differences([], []).isEmpty)
  }

  @Test func whatCameAndWentIsToldByItsName() {
    let old = [("a", file(1)), ("b", file(2)), ("c", file(3))]
    let new = [("c", file(3)), ("d", file(4)), ("a", file(1))]
    #expect(differences(old, new) == ["b": [], "d": []])
    #expect(differences([], new).keys.sorted() == ["a", "c", "d"])
    #expect(differences(old, []).keys.sorted() == ["a", "b", "c"])
  }

  @Test func aNameThatBeginsAnotherIsAnother() {
    #expect(differences([("ab", file(1)), ("a", file(2))], [("a", file(1)), ("ab", file(2))]).count == 2)
  }

  @Test func changesSayWhatTheyAre() {
    let old = [("a", file(1)), ("b", file(2)), ("c", file(3)), ("d", file(4))]
    let new = [
      ("a", file(1, size: 7)), ("b", file(2, modified: 5)), ("c", file(3, changed: 5)), ("d", file(9)),
    ]
    #expect(differences(old, new) == ["a": .written, "b": .written, "c": .attributes, "d": []])
  }

  @Test func ofADirectoryOnlyItsInodeCounts() {
    func directory(_ inode: UInt64, device: UInt64 = 1, modified: Int64, changed: Int64) -> FileStatus {
      FileStatus(
        device: device, inode: inode, born: 0, kind: .directory, modified: modified, changed: changed)
    }
    let old = [("d", directory(1, modified: 1, changed: 1))]
    #expect(differences(old, [("d", directory(1, modified: 9, changed: 1))]).isEmpty)
    #expect(differences(old, [("d", directory(1, modified: 1, changed: 9))]) == ["d": [.attributes, .directory]])
    #expect(differences(old, [("d", directory(1, device: 2, modified: 1, changed: 1))]) == ["d": []], "a mount")
  }

  @Test func anUpdateIsToldOnce() {
    var known = shadow([("a", file(1)), ("b", file(2))])
    #expect(known.update(1, to: file(2, size: 3)) == .written)
    #expect(known.update(1, to: file(2, size: 3)) == nil)
    #expect(known.update(0, to: file(1)) == nil)
    known.adoptChangeTime(0, of: file(1, changed: 8))
    #expect(known.update(0, to: file(1, changed: 8)) == nil)
    known.adoptChangeTime(0, of: file(1, size: 1, changed: 9))
    #expect(known.update(0, to: file(1, size: 1, changed: 9)) == .written, "what was written is told")
    #expect(known.name(1) == FileName("b"))
  }
}

// MARK: - Names that were made to collide

extension DirectoryShadowTests {
  /// Names that have the lower 24 bits of their FNV-1a hash in common: each part was found in two forms that lead to
  /// the same bits.
  private static let collidingNames: [String] = {
    var names = [""]
    var hash: UInt32 = 0x8422_2325
    for _ in 0..<11 {
      var seen: [UInt32: String] = [:]
      for number in 0... {
        let part = String(number, radix: 36)
        var next = hash
        for byte in part.utf8 { next = (next ^ UInt32(byte)) &* 0x1b3 & 0xff_ffff }
        if let other = seen[next], other.utf8.count == part.utf8.count {
          names = names.flatMap { [$0 + part, $0 + other] }
          hash = next
          break
        }
        seen[next] = part
      }
    }
    return names
  }()

  @Test func namesThatWereMadeToCollideAreFoundAtOnce() {
    let names = Self.collidingNames
    #expect(Set(names).count == 2_048)
    let growth = Growth.ofFourfold(512) { count in
      let entries = names.prefix(count).map { ($0, self.file(1)) }
      let changed = names.prefix(count).map { ($0, self.file(1, size: 2)) }
      #expect(self.differences(entries, changed.reversed()).count == count)
    }
    #expect(growth < Growth.linear)
  }
}
