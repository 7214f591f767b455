import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import TestTraits
import Testing

@Suite(.light, .undisturbed) struct CopiesTests {
  @Test func aCopyThatCarriesTheTagIsADuplicate() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let original = try observed.uuids("a.txt")
    let mark = observed.recorder.position
    try await observed.saysExactly(["duplicated a.txt => b.txt", "copyFinished b.txt"]) {
      try Command.run("cp", "-a", $0["a.txt"], $0["b.txt"])
    }
    #expect(try observed.uuids("a.txt") == original)
    let copy = try observed.uuids("b.txt")
    #expect(copy != original)
    let change = observed.changes(from: mark).first
    #expect(change?.uuid == copy[0])
    #expect(change?.original?.uuid == original[0])
  }

  @Test func aCopyWithoutTheTagIsANewFile() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    try await observed.saysExactly(["discovered b.txt", "copyFinished b.txt"]) {
      try Command.run("cp", $0["a.txt"], $0["b.txt"])
    }
    #expect(try Set(observed.uuids("a.txt", "b.txt")).count == 2)
  }

  @Test func severalCopiesHaveUUIDsOfTheirOwn() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let expected = ["b", "c", "d"].flatMap { ["duplicated a.txt => \($0).txt", "copyFinished \($0).txt"] }
    try await observed.saysExactly(expected, order: .any) { root in
      for name in ["b", "c", "d"] { try Command.run("cp", "-a", root["a.txt"], root["\(name).txt"]) }
    }
    #expect(try Set(observed.uuids("a.txt", "b.txt", "c.txt", "d.txt")).count == 4)
  }

  /// The tag shows only at the end that a file announced as copying is a copy.
  @Test func aLongCopyIsTold() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let expected = ["discovered(copying) b.txt", "duplicated a.txt => b.txt", "copyFinished b.txt"]
    try await observed.saysExactly(expected) { root in
      let mark = observed.recorder.position
      let file = try root.open("b.txt", .create)
      try file.write("one")
      try await observed.recorder.awaitChange("b.txt", from: mark) { $0.item.isCopying }
      try file.write("two")
      try root.setTag("b.txt", observed.uuid("a.txt"))
    }
    #expect(try Set(observed.uuids("a.txt", "b.txt")).count == 2)
  }

  @Test func aFolderIsDuplicatedWithWhatIsInIt() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.makeDirectories("d/e")
      try $0.watched.write("d/1.txt")
      try $0.watched.write("d/e/2.txt")
    }
    let before = try observed.uuids("d", "d/e", "d/1.txt", "d/e/2.txt")
    let mark = observed.recorder.position
    try Command.run("cp", "-a", observed.root["d"], observed.root["D"])
    try await observed.settle()
    let said = observed.said(from: mark)
    // A folder may have been announced before it got the tag that shows it is a copy.
    let names = ["", "/e", "/1.txt", "/e/2.txt"]
    #expect(said.filter { $0.hasPrefix("duplicated") }.sorted() == names.map { "duplicated d\($0) => D\($0)" }.sorted())
    #expect(Set(said.filter { $0.hasPrefix("discovered") }).isSubset(of: ["discovered D", "discovered D/e"]))
    #expect(
      said.filter { $0.hasPrefix("copyFinished") }.sorted() == ["copyFinished D/1.txt", "copyFinished D/e/2.txt"])
    try await observed.expectAgreement()
    #expect(try observed.uuids("d", "d/e", "d/1.txt", "d/e/2.txt") == before)
    #expect(try Set(observed.uuids("D", "D/e", "D/1.txt", "D/e/2.txt") + before).count == 8)
  }

  /// `mv` to another file system copies the file with its tag and removes the original.
  @Test func aCopyWhoseOriginalGoesIsAMove() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.mkdir("sub")
      try $0.watched.write("a.txt")
    }
    let before = try observed.uuids("a.txt")
    try await observed.saysExactly(["moved a.txt -> sub/a.txt"]) { root in
      try Command.run("cp", "-a", root["a.txt"], root["sub/a.txt"])
      try root.unlink("a.txt")
    }
    #expect(try observed.uuids("sub/a.txt") == before)
  }

  /// The copy has the source's tag, and the target's own is put back.
  @Test func aCopyOntoADocumentIsASaveOfIt() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt", "one")
      try $0.watched.write("b.txt", "two and more")
    }
    let before = try observed.uuids("a.txt", "b.txt")
    try await observed.saysExactly(["modified b.txt"]) { try Command.run("cp", "-a", $0["a.txt"], $0["b.txt"]) }
    #expect(try observed.uuids("a.txt", "b.txt") == before)
  }

  /// The same by a program that writes a new file with the source's tag and renames it over the target.
  @Test func aCopyRenamedOntoADocumentIsASaveOfIt() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("a.txt", "one")
      try $0.watched.write("b.txt", "two and more")
    }
    let before = try observed.uuids("a.txt", "b.txt")
    try await observed.saysExactly(["modified b.txt"]) { root in
      try Command.run("cp", "-a", root["a.txt"], root[".b.txt.tmp"])
      try root.rename(".b.txt.tmp", "b.txt")
    }
    #expect(try observed.uuids("a.txt", "b.txt") == before)
  }

  @Test func aCopyOfSomethingFromOutsideBearsItsTag() async throws {
    let uuid = UUID()
    let observed = try await ObservedFolder.begin {
      try $0.outside.write("a.txt")
      try $0.outside.setTag("a.txt", uuid)
    }
    try await observed.saysExactly(["discovered a.txt", "copyFinished a.txt"]) {
      try Command.run("cp", "-a", observed.outside["a.txt"], $0["a.txt"])
    }
    #expect(try observed.uuids("a.txt") == [uuid])
  }

  /// Copies that were made while nobody watched: the scan splits them.
  @Test func theScanSplitsDuplicates() async throws {
    let uuid = UUID()
    let observed = try await ObservedFolder.begin { folder in
      for name in ["a", "b", "c"] {
        try folder.watched.write(name)
        try folder.watched.setTag(name, uuid)
      }
    }
    let uuids = try observed.uuids("a", "b", "c")
    #expect(Set(uuids).count == 3)
    #expect(uuids.filter { $0 == uuid }.count == 1)
    try await observed.expectAgreement()
  }
}
