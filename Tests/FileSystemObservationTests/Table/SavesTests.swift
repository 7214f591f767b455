import FileSystemObservation
import ObservationTestSupport
import TestTraits
import Testing

/// Every way in which a program is known to save a document: the identity stays, and `modified` is all that is said of
/// it.
@Suite(.light, .undisturbed) struct SavesTests {
  private func saysModified(
    and more: [String] = [], sourceLocation: SourceLocation = #_sourceLocation, when save: (Folder) async throws -> Void
  ) async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("doc.txt", "first version") }
    let before = try observed.uuids("doc.txt")
    for _ in 0..<2 {
      try await observed.saysExactly(
        ["modified doc.txt"] + more, order: .any, sourceLocation: sourceLocation, when: save)
      #expect(try observed.uuids("doc.txt") == before, sourceLocation: sourceLocation)
      for path in more.compactMap({ $0.split(separator: " ").last }) {
        try? observed.root.unlink(String(path))
      }
      try await observed.settle()
    }
  }

  /// While no observer runs, too, the identity belongs to the name and not to the backup.
  @Test func savedWithABackupThatStaysWhileNobodyLooked() async throws {
    guard Ability.tags.isPossible else { return }
    let first = try await ObservedFolder.begin { folder in
      for name in ["renamed", "linked", "copied"] { try folder.watched.write("\(name).txt", "first version") }
    }
    let before = try first.uuids("renamed.txt", "linked.txt", "copied.txt")
    await first.observer.stop()
    let root = first.root
    try root.rename("renamed.txt", "renamed.txt~")
    try root.link("linked.txt", "linked.txt~")
    try Command.run("cp", "-a", root["copied.txt"], root["copied.txt~"])
    for name in ["renamed", "linked", "copied"] {
      try root.write(".new", "second version")
      try root.rename(".new", "\(name).txt")
    }
    let second = ObservedFolder(first.folder)
    try await second.start()
    #expect(try second.uuids("renamed.txt", "linked.txt", "copied.txt") == before)
    let backups = try second.uuids("renamed.txt~", "linked.txt~", "copied.txt~")
    #expect(Set(backups + before).count == 6)
    let said = Set(second.said(from: 0).filter { $0.hasPrefix("duplicated") })
    #expect(said == Set(["renamed", "linked", "copied"].map { "duplicated \($0).txt => \($0).txt~" }))
    try await second.expectAgreement()
  }

  /// A file about a document has a name like a backup's.
  @Test func savedBesideASidecarWhileNobodyLooked() async throws {
    guard Ability.tags.isPossible else { return }
    let first = try await ObservedFolder.begin { folder in
      for name in ["photo.jpg", "photo.jpg.xmp", "photo.jpg-edits.json"] { try folder.watched.write(name) }
    }
    let before = try first.uuids("photo.jpg", "photo.jpg.xmp", "photo.jpg-edits.json")
    await first.observer.stop()
    try first.root.write(".new", "second version")
    try first.root.rename(".new", "photo.jpg")
    for name in ["photo.jpg.xmp", "photo.jpg-edits.json"] { try first.root.append(name) }
    let second = ObservedFolder(first.folder)
    try await second.start()
    #expect(try second.uuids("photo.jpg.xmp", "photo.jpg-edits.json") == Array(before.dropFirst()))
    #expect(try !before.contains(second.uuids("photo.jpg")[0]))
    try await second.expectAgreement()
  }

  @Test func writtenInPlace() async throws {
    try await saysModified { try $0.append("doc.txt") }
  }

  @Test func truncatedAndWritten() async throws {
    try await saysModified { try $0.write("doc.txt", "another version") }
  }

  @Test func writtenInPieces() async throws {
    try await saysModified { root in
      let file = try root.open("doc.txt", .truncate)
      for _ in 0..<50 { try file.write("piece") }
    }
  }

  @Test func closedSeveralTimesWithinTheQuietPeriod() async throws {
    try await saysModified { root in
      for _ in 0..<10 { try root.append("doc.txt") }
    }
  }

  @Test func temporaryFileRenamedOver() async throws {
    try await saysModified { root in
      try root.write("doc.txt.tmp", "new")
      try root.rename("doc.txt.tmp", "doc.txt")
    }
  }

  @Test func hiddenTemporaryFileRenamedOver() async throws {
    try await saysModified { root in
      try root.write(".goutputstream-ABCDEF", "new")
      try root.rename(".goutputstream-ABCDEF", "doc.txt")
    }
  }

  /// GIO closes the temporary file only after it has renamed it.
  @Test func temporaryFileClosedAfterItsRename() async throws {
    try await saysModified { root in
      let file = try root.open(".goutputstream-ABCDEF", .create)
      try file.write("new")
      try root.rename(".goutputstream-ABCDEF", "doc.txt")
    }
  }

  @Test func temporaryFileFromOutsideRenamedOver() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("doc.txt") }
    let before = try observed.uuids("doc.txt")
    try await observed.saysExactly(["modified doc.txt"]) { root in
      try observed.outside.write("new.txt", "new")
      try root.rename(observed.outside["new.txt"], "doc.txt")
    }
    #expect(try observed.uuids("doc.txt") == before)
  }

  /// It was announced long before: by its name it is known to have been made for the document.
  @Test func temporaryFileThatTookLongRenamedOver() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("film.mp4") }
    let before = try observed.uuids("film.mp4")
    try await observed.saysExactly(["discovered film.tmp.mp4", "copyFinished film.tmp.mp4"]) {
      try $0.write("film.tmp.mp4", "new")
    }
    try await observed.settle()
    try await observed.saysExactly(["deleted(removed) film.tmp.mp4", "modified film.mp4"]) {
      try $0.rename("film.tmp.mp4", "film.mp4")
    }
    #expect(try observed.uuids("film.mp4") == before)
  }

  @Test func removedAndCreated() async throws {
    try await saysModified { root in
      try root.unlink("doc.txt")
      try root.write("doc.txt", "new")
    }
  }

  @Test func fileWithoutANameLinkedIn() async throws {
    try await saysModified { root in
      let file = try root.openUnnamed()
      try file.write("new")
      try root.unlink("doc.txt")
      try file.link(to: root["doc.txt"])
    }
  }

  @Test func fileWithoutANameLinkedBesideAndRenamedOver() async throws {
    try await saysModified { root in
      let file = try root.openUnnamed()
      try file.write("new")
      try file.link(to: root["doc.txt.XYZABC"])
      try root.rename("doc.txt.XYZABC", "doc.txt")
    }
  }

  @Test func exchangedWithATemporaryFile() async throws {
    try await saysModified { root in
      try root.write("doc.new", "new")
      try root.exchange("doc.new", "doc.txt")
      try root.unlink("doc.new")
    }
  }

  @Test(arguments: ["doc.txt~", "doc.txt.bak", "#doc.txt#", "doc.txt.orig", "doc.bak", "doc.txt.~1~"])
  func backupRenamedAndRemoved(_ backup: String) async throws {
    try await saysModified { root in
      try root.rename("doc.txt", backup)
      try root.write("doc.txt", "new")
      try root.unlink(backup)
    }
  }

  @Test(arguments: ["doc.txt~", "doc.txt.bak", "#doc.txt#", "doc.txt.orig"])
  func backupRenamedAndKept(_ backup: String) async throws {
    try await saysModified(and: ["duplicated doc.txt => \(backup)", "copyFinished \(backup)"]) { root in
      try root.rename("doc.txt", backup)
      try root.write("doc.txt", "new")
    }
  }

  /// The next save puts the new backup over the old one.
  @Test func backupRenamedOverTheLastOne() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("doc.txt") }
    let before = try observed.uuids("doc.txt")
    for _ in 0..<3 {
      try observed.root.rename("doc.txt", "doc.txt~")
      try observed.root.write("doc.txt", "new")
      try await observed.settle()
      try await observed.expectAgreement()
      #expect(try observed.uuids("doc.txt") == before)
    }
    let ofDocument = observed.changes(from: 0).filter { $0.uuid == before[0] }.map(\.kind)
    #expect(ofDocument == [.discovered, .modified, .modified, .modified])
  }

  @Test func backupRenamedToAFolder() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.watched.write("doc.txt")
      try $0.watched.mkdir("backups")
    }
    let before = try observed.uuids("doc.txt")
    let mark = observed.recorder.position
    try observed.root.rename("doc.txt", "backups/doc.txt~")
    try observed.root.write("doc.txt", "new")
    try observed.root.unlink("backups/doc.txt~")
    try await observed.settle()
    #expect(!observed.said(from: mark).contains { $0.hasPrefix("deleted") })
    try await observed.expectAgreement()
    #expect(try observed.uuids("doc.txt") == before)
  }

  @Test func backupByHardLinkRemoved() async throws {
    try await saysModified { root in
      try root.link("doc.txt", "doc.txt~")
      try root.write("doc.txt.tmp", "new")
      try root.rename("doc.txt.tmp", "doc.txt")
      try root.unlink("doc.txt~")
    }
  }

  @Test func backupByHardLinkKept() async throws {
    try await saysModified(and: ["duplicated doc.txt => doc.txt~", "copyFinished doc.txt~"]) { root in
      try root.link("doc.txt", "doc.txt~")
      try root.write("doc.txt.tmp", "new")
      try root.rename("doc.txt.tmp", "doc.txt")
    }
  }

  @Test func backupByCopyAndWrittenInPlace() async throws {
    try await saysModified(and: ["discovered doc.txt~", "copyFinished doc.txt~"]) { root in
      try Command.run("cp", root["doc.txt"], root["doc.txt~"])
      try root.write("doc.txt", "new")
    }
  }

  /// A program nobody has heard of puts the document aside under a name that says nothing, and deletes it there.
  @Test func putAsideUnderAnyNameAndDeletedThere() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("doc.txt") }
    let before = try observed.uuids("doc.txt")
    let mark = observed.recorder.position
    try observed.root.rename("doc.txt", "xyz")
    try observed.root.write("doc.txt", "new")
    try observed.root.unlink("xyz")
    try await observed.settle()
    // A plain rename is told at once, unless the events are read so late that the new file is seen with it.
    let atOnce = ["renamed doc.txt -> xyz", "renamed xyz -> doc.txt", "modified doc.txt"]
    let said = observed.said(from: mark)
    #expect(said == atOnce || said == ["modified doc.txt"])
    #expect(try observed.uuids("doc.txt") == before)
  }

  @Test func sedInPlace() async throws {
    try await saysModified { try Command.run("sed", "-i", "s/$/x/", $0["doc.txt"]) }
  }

  @Test func nothingIsSaidOfAttributesAndReads() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("doc.txt") }
    try await observed.saysExactly([]) { root in
      try root.chmod("doc.txt", 0o600)
      try root.setAttribute("user.comment", of: "doc.txt", to: "hello")
      _ = try root.read("doc.txt")
      _ = try root.open("doc.txt", .update)
    }
  }
}
