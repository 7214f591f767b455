import ObservationSimulation
import Testing

/// A document of several files is saved by a folder that takes its place: it stays itself, and so do its files.
struct SavedFolderTests {
  private static let names = ["doc", "doc/text", "doc/sub", "doc/sub/x"]
  /// What makes the next version as the folder `N`.
  private static let new = "mkdir N ; new N/text ; mkdir N/sub ; new N/sub/x"

  /// Ways to put the folder `N` in the place of `doc`.
  private static let replacements = [
    "exchange doc N | remove N", "rename doc doc~ | rename N doc | remove doc~", "remove doc | rename N doc",
    "rename doc other | rename N doc | 100ms | remove other", "rename doc .old | rename N doc | remove .old",
    "rename doc .old | rename N doc", "rename doc /outside/doc | rename N doc", "exchange doc N ; remove N",
    "rename doc doc~ ; rename N doc ; remove doc~", "remove doc ; rename N doc",
    // The first look sees what the second rename has done, before its event is read.
    "rename doc .old ; rename N doc |2", "rename doc .old ; rename N doc |2 remove .old",
    "rename doc doc~ ; rename N doc |2 remove doc~", "rename doc other ; rename N doc |2 100ms | remove other",
  ]

  private func world(_ source: SimulatedSource) -> Scenario {
    Scenario("mkdir doc; new doc/text; mkdir doc/sub; new doc/sub/x", source: source)
  }

  private func expectSaved(_ source: SimulatedSource, _ script: String) {
    let world = world(source)
    let before = Self.names.map { world.identity($0) }
    world.runs(script + " | …")
    #expect(Self.names.map { world.identity($0) } == before, "\(script)\n\(world.told)")
    #expect(Self.names.map { world.tag($0) } == before, "\(script)")
    #expect(world.problems == [], "\n\(world.journal.joined(separator: "\n"))")
    let ended = world.told.filter { $0.hasPrefix("deleted") || $0.hasPrefix("discovered(returned)") }
    #expect(ended.allSatisfy { $0.hasPrefix("deleted(replaced)") }, "\(script)\n\(world.told)")
  }

  @Test(arguments: [SimulatedSource.inotify, .fanotify], ["", "| 100ms", "| 300ms"])
  func byAFolderMadeAMomentBefore(_ source: SimulatedSource, _ pause: String) {
    for replacement in Self.replacements where !replacement.hasSuffix("rename N doc") || pause.isEmpty {
      for name in ["new", ".new"] {
        expectSaved(source, "\(Self.new) \(pause) | \(replacement)".replacing("N", with: name))
      }
    }
  }

  /// A hidden folder, a copy, or one whose name is made from the document's may be filled for long.
  @Test(arguments: [SimulatedSource.inotify, .fanotify], [".new", "doc.tmp"])
  func byAFolderMadeLongBefore(_ source: SimulatedSource, _ name: String) {
    for replacement in Self.replacements where name.hasPrefix(".") || replacement.contains("rem") {
      expectSaved(source, "\(Self.new) | … \(replacement)".replacing("N", with: name))
    }
  }

  @Test(arguments: [SimulatedSource.inotify, .fanotify], [".new", "new", "doc.tmp"])
  func byACopyInWhichAFileIsChanged(_ source: SimulatedSource, _ name: String) {
    for pause in ["|", "| 300ms |", "| …"] {
      for replacement in Self.replacements where name.hasPrefix(".") || replacement.contains("rem") {
        let script = "copy-a-tree doc N \(pause) append N/text \(pause) \(replacement)"
        expectSaved(source, script.replacing("N", with: name))
      }
    }
  }

  /// So does a program that writes its document at its path, with the former version aside under an observed name.
  @Test(arguments: [SimulatedSource.inotify, .fanotify], ["|", ";", "| 50ms |"])
  func byAFolderThatIsFilledAtItsPlace(_ source: SimulatedSource, _ moment: String) {
    let fill = Self.new.replacing("N", with: "doc")
    for aside in ["doc~", "other"] {
      let script = "rename doc \(aside) ; \(fill) ; remove \(aside)"
      expectSaved(source, script.replacing(";", with: moment))
    }
  }

  @Test(arguments: [SimulatedSource.inotify, .fanotify]) func itIsToldAsModified(_ source: SimulatedSource) {
    for replacement in [
      "exchange doc .new | remove .new", "rename doc .old | rename .new doc", "remove doc | rename .new doc",
    ] {
      let world = world(source)
      world.runs("\(Self.new.replacing("N", with: ".new")) | … \(replacement) | …")
      #expect(world.told == ["modified doc/text", "modified doc/sub/x"], "\(replacement)")
    }
  }

  /// What is missing in the next version is deleted, what is new is discovered, and what was moved there stays itself.
  @Test(arguments: [SimulatedSource.inotify, .fanotify], ["|", ";"])
  func itsItemsNeedNotBeTheSame(_ source: SimulatedSource, _ moment: String) {
    let world = world(source)
    let (folder, moved) = (world.identity("doc"), world.identity("doc/sub/x"))
    let script = "rename doc doc~ ; mkdir doc ; new doc/more ; rename doc~/sub doc/sub ; remove doc~"
    world.runs(script.replacing(";", with: moment) + " | …")
    #expect(world.identity("doc") == folder && world.identity("doc/sub/x") == moved, "\(world.told)")
    #expect(world.told.contains { $0.hasPrefix("deleted(removed)") && $0.hasSuffix("/text") }, "\(world.told)")
    #expect(world.told.contains("discovered doc/more"), "\(world.told)")
    #expect(world.problems == [], "\n\(world.journal.joined(separator: "\n"))")
  }

  /// Unchanged files may be hard links of the former ones.
  @Test(arguments: [SimulatedSource.inotify, .fanotify], ["new", ".new"])
  func byAFolderOfHardLinks(_ source: SimulatedSource, _ name: String) {
    for replacement in Self.replacements where name.hasPrefix(".") || replacement.contains("rem") {
      let script = "mkdir N ; new N/text ; mkdir N/sub ; link doc/sub/x N/sub/x | \(replacement)"
      expectSaved(source, script.replacing("N", with: name))
    }
  }

  /// A folder that is kept under another name is the same folder, and an older folder in its place is another.
  @Test(arguments: [SimulatedSource.inotify, .fanotify]) func noSave(_ source: SimulatedSource) {
    for script in [
      "rename doc doc~ | mkdir doc", "rename doc doc~ ; mkdir doc ; new doc/text | …",
      "rename doc doc~ | rename old doc | remove doc~", "exchange doc old | remove old",
      "rename doc doc~ | 600ms | mkdir doc | … remove doc~", "rename doc /outside/doc | mkdir doc",
    ] {
      let world = Scenario("mkdir doc; new doc/text; mkdir old; new old/text", source: source)
      let before = world.identity("doc")
      let other = world.identity("old")
      world.runs(script + " | …")
      #expect(world.identity("doc") != before, "\(script)\n\(world.told)")
      if script.contains("old doc") || script.contains("doc old") {
        #expect(world.identity("doc") == other, "\(script)")
      }
      #expect(world.problems == [], "\n\(world.journal.joined(separator: "\n"))")
    }
  }
}
