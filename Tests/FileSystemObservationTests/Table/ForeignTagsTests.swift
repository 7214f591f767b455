import FileSystemObservation
import FoundationEssentials
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// What others do to tags: a file that stays keeps its identity, a copy gets its own, and the app hears of either.
@Suite(.light, .undisturbed) struct ForeignTagsTests {
  /// What is written in place of a tag.
  enum Vandalism: CaseIterable {
    case nothing, anothersTag, unknownTag, empty, oneByte, truncatedTag, lengthenedTag, garbage, threeKilobytes
    case sixtyKilobytes

    /// Does it to the file, whose tag is the one given.
    func apply(to name: String, _ tag: UUID, _ another: UUID, in root: Folder) throws(Errno) {
      let text = tag.uuidString.lowercased()
      switch self {
      case .nothing: try root.removeTag(name)
      case .anothersTag: try root.setTag(name, another)
      case .unknownTag: try root.setTag(name, UUID())
      case .empty: try root.setAttribute(tagName, of: name, to: "")
      case .oneByte: try root.setAttribute(tagName, of: name, to: "x")
      case .truncatedTag: try root.setAttribute(tagName, of: name, to: String(text.dropLast()))
      case .lengthenedTag: try root.setAttribute(tagName, of: name, to: text + "0")
      case .garbage: try root.setAttribute(tagName, of: name, to: "no UUID, but as long as one would be")
      case .threeKilobytes: try root.setAttribute(tagName, of: name, to: String(repeating: "x", count: 3_000))
      case .sixtyKilobytes: try root.setAttribute(tagName, of: name, to: String(repeating: "x", count: 60_000))
      }
    }
  }

  /// ext4 takes four kilobytes in all; where there is memory for files, it mostly takes sixty.
  private func folder(for vandalism: Vandalism) throws -> TestFolder {
    guard vandalism == .sixtyKilobytes else { return try TestFolder() }
    do throws(Errno) {
      let folder = try TestFolder(in: "/dev/shm")
      try folder.outside.write("probe")
      try vandalism.apply(to: "probe", UUID(), UUID(), in: folder.outside)
      return folder
    } catch {
      try Test.cancel("no file system here takes an attribute of 60 KB: \(error)")
    }
  }

  private func observe(_ folder: TestFolder) async throws -> ObservedFolder {
    try folder.watched.write("a.txt")
    try folder.watched.write("b.txt")
    try folder.watched.mkdir("d")
    let observed = ObservedFolder(folder)
    try await observed.start()
    return observed
  }

  /// Who copies a file gives it the tag at once; later, it is vandalism.
  @Test func aFileThatCameEarlierIsNoCopy() async throws {
    let observed = try await observe(try TestFolder())
    try await observed.saysExactly(["discovered c.txt", "copyFinished c.txt"]) { try $0.write("c.txt") }
    let before = try observed.uuids("a.txt", "c.txt")
    try await observed.saysExactly([]) { try $0.setTag("c.txt", before[0]) }
    #expect(try observed.root.tag("c.txt") == before[1] && observed.uuids("a.txt", "c.txt") == before)
  }

  /// Of a file or folder that stays where it is, nothing is said; its tag is put back, and a diagnostic names it.
  @Test(arguments: Vandalism.allCases) func theGraphWins(_ vandalism: Vandalism) async throws {
    let observed = try await observe(try folder(for: vandalism))
    let before = try observed.uuids("a.txt", "b.txt", "d")
    for (name, tag) in [("a.txt", before[0]), ("d", before[2])] {
      let mark = observed.recorder.position
      try await observed.saysExactly([]) { try vandalism.apply(to: name, tag, before[1], in: $0) }
      let heard = observed.recorder.diagnostics(from: mark)
      #expect(heard.map(\.code) == [.tagRestored])
      #expect(heard.map(\.path?.string) == [observed.root[name]])
    }
    #expect(try observed.uuids("a.txt", "b.txt", "d") == before)
  }

  /// The same when the file is renamed or moved before anyone can look.
  @Test(arguments: Vandalism.allCases) func aRenamedFileKeepsItsIdentity(_ vandalism: Vandalism) async throws {
    let observed = try await observe(try folder(for: vandalism))
    let before = try observed.uuids("a.txt", "b.txt")
    try await observed.saysExactly(["renamed a.txt -> c.txt"]) { root in
      try vandalism.apply(to: "a.txt", before[0], before[1], in: root)
      try root.rename("a.txt", "c.txt")
    }
    try await observed.saysExactly(["moved c.txt -> d/a.txt"]) { root in
      try root.rename("c.txt", "d/a.txt")
      try vandalism.apply(to: "d/a.txt", before[0], before[1], in: root)
    }
    #expect(try observed.uuids("d/a.txt", "b.txt") == before)
  }

  /// The same when it is saved: what the new file bears is not asked, unless it is a document's that went away.
  @Test(arguments: Vandalism.allCases) func aSavedFileKeepsItsIdentity(_ vandalism: Vandalism) async throws {
    let observed = try await observe(try folder(for: vandalism))
    let before = try observed.uuids("a.txt", "b.txt")
    try await observed.saysExactly(["modified a.txt"]) { root in
      try vandalism.apply(to: "a.txt", before[0], before[1], in: root)
      try root.write("new.tmp", "saved")
      try root.rename("new.tmp", "a.txt")
    }
    try await observed.saysExactly(["modified a.txt"]) { root in
      try root.append("a.txt")
      try vandalism.apply(to: "a.txt", before[0], before[1], in: root)
    }
    #expect(try observed.uuids("a.txt", "b.txt") == before)
  }

  /// A newcomer with a value that is no UUID is a new file, one with the tag of a file that stands is a copy of it.
  @Test(arguments: Vandalism.allCases.filter { $0 != .nothing && $0 != .unknownTag })
  func aNewcomerIsSplitOff(_ vandalism: Vandalism) async throws {
    let observed = try await observe(try folder(for: vandalism))
    let before = try observed.uuids("a.txt", "b.txt")
    let first = vandalism == .anothersTag ? "duplicated b.txt => n.txt" : "discovered n.txt"
    try await observed.saysExactly([first, "copyFinished n.txt"]) { root in
      try root.write("n.txt")
      try vandalism.apply(to: "n.txt", before[0], before[1], in: root)
    }
    let after = try observed.uuids("a.txt", "b.txt", "n.txt")
    #expect(Array(after[..<2]) == before && Set(after).count == 3)
  }

  /// Without an observer nobody knows better than the tags: what is none is replaced, and of two that are the same one
  /// is split off.
  @Test(arguments: Vandalism.allCases) func theFirstScanMendsWhatItFinds(_ vandalism: Vandalism) async throws {
    let first = try await observe(try folder(for: vandalism))
    let before = try first.uuids("a.txt", "b.txt", "d")
    await first.observer.stop()
    try vandalism.apply(to: "a.txt", before[0], before[1], in: first.root)
    try vandalism.apply(to: "d", before[2], before[1], in: first.root)
    let second = ObservedFolder(first.folder)
    try await second.start()
    let after = try second.uuids("a.txt", "b.txt", "d")
    #expect(Set(after).count == 3)
    let copies = second.changes(from: 0).filter { $0.kind == .duplicated }
    #expect(copies.map(\.original?.uuid) == (vandalism == .anothersTag ? [before[1], before[1]] : []))
    try await second.expectAgreement()
  }

  /// Hundreds of files at once are few messages, and none is forgotten.
  ///
  /// The observer is a process that is stopped meanwhile: else it may be as fast as who changes them, and has one at a
  /// time to tell.
  @Test(.enabled(if: WatchingProcess.tool != nil, "fsobserve is not built")) func manyTagsAtOnce() async throws {
    let root = try folder(for: 300)
    let observer = try await WatchingProcess(root.watched)
    try await [observer].settle(root.watched, "cookie")
    let before = try names(300).map { try root.watched.tag($0) }
    let mark = observer.position
    observer.process.send(SIGSTOP)
    for (index, name) in names(300).enumerated() {
      if index % 2 == 0 {
        try root.watched.removeTag(name)
      } else if let other = before[index - 1] {
        try root.watched.setTag(name, other)
      }
    }
    observer.process.send(SIGCONT)
    #expect(try await comesTrue { try names(300).map { try root.watched.tag($0) } == before })
    #expect(try await [observer].differencesInTheEnd(root.watched) == [])
    let lines = observer.process.lines.elements(from: mark)
    #expect((1..<300).contains(lines.count { $0.contains("\"diagnostic\"") }))
    #expect(
      !lines.contains { $0.contains("/watched/f") && !$0.contains("\"diagnostic\"") }, "nothing is told of the files")
  }

  private func names(_ count: Int) -> [String] { (0..<count).map { "f\($0)" } }

  private func folder(for count: Int) throws -> TestFolder {
    let folder = try TestFolder()
    for name in names(count) { try folder.watched.write(name) }
    return folder
  }
}
