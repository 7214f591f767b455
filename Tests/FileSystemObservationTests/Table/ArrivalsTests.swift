import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import TestTraits
import Testing

@Suite(.light, .undisturbed) struct ArrivalsTests {
  @Test func aNewFileIsDiscoveredAndFinishedInOneChangeSet() async throws {
    let observed = try await ObservedFolder.begin()
    let mark = observed.recorder.position
    try await observed.saysExactly(["discovered a.txt", "copyFinished a.txt"]) { try $0.write("a.txt") }
    let sets = observed.recorder.entries[mark...].filter { $0.changes.contains { $0.path.string.hasSuffix("/a.txt") } }
    #expect(sets.count == 1)
    #expect(try observed.uuids("a.txt").count == 1)
  }

  @Test(arguments: ["empty.txt", "with space.txt", "ümläut 漢字.txt", "new\nline", "-dash", "~tilde", "#hash#", "a~"])
  func aNewFileMayHaveAnyName(_ name: String) async throws {
    let observed = try await ObservedFolder.begin()
    try await observed.saysExactly(["discovered \(name)", "copyFinished \(name)"]) { try $0.write(name, "") }
  }

  @Test func aNewFolderIsDiscovered() async throws {
    let observed = try await ObservedFolder.begin()
    try await observed.saysExactly(["discovered d"]) { try $0.mkdir("d") }
    try await observed.saysExactly(["discovered d/e"]) { try $0.mkdir("d/e") }
    #expect(try Set(observed.uuids("d", "d/e")).count == 2)
  }

  @Test func aSymbolicLinkIsRecordedAndNotFollowed() async throws {
    let observed = try await ObservedFolder.begin { try $0.outside.write("secret.txt") }
    try await observed.saysExactly(["discovered l"]) { try $0.symlink(observed.outside.path, "l") }
    try await observed.saysExactly([]) { _ in try observed.outside.write("more.txt") }
    #expect(try observed.outside.tag("secret.txt") == nil)
    #expect(observed.changes(from: 0).first?.item.kind == .symlink)
  }

  @Test func aFIFOIsNotObserved() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.makeFIFO("pipe") }
    try await observed.saysExactly([]) { try $0.makeFIFO("another") }
    try await observed.saysExactly([]) { try $0.rename("pipe", "renamed") }
  }

  /// What is found by the first scan and has been at rest is discovered, and does not finish.
  @Test func whatTheFirstScanFindsIsDiscoveredAlone() async throws {
    let folder = try TestFolder()
    let first = ObservedFolder(folder)
    try folder.watched.makeDirectories("d")
    try folder.watched.write("a.txt")
    try folder.watched.write("d/b.txt")
    try await first.start()
    await first.observer.stop()

    let second = ObservedFolder(folder)
    try await second.start()
    #expect(second.said(from: 0).sorted() == ["discovered a.txt", "discovered d", "discovered d/b.txt"])
    try await second.expectAgreement()
  }

  /// A file that is still being written after the flash guard is announced, and finished when its last writer is done.
  @Test func aFileThatIsWrittenForLongIsAnnouncedAsCopying() async throws {
    let observed = try await ObservedFolder.begin()
    try await observed.saysExactly(["discovered(copying) big.bin", "copyFinished big.bin"]) { root in
      let mark = observed.recorder.position
      let first = try root.open("big.bin", .create)
      let second = try root.open("big.bin", .update)
      try first.write("one")
      let announced = try await observed.recorder.awaitChange("big.bin", from: mark) { $0.item.isCopying }
      #expect(try root.tag("big.bin") == nil, "no tag before the file is complete")
      let inventory = observed.observer.snapshot().filter(\.isCopying).map(\.uuid)
      #expect(inventory == [announced.uuid])
      try second.write("two and more")
    }
  }

  /// A writer that closes and goes on within the quiet period has not finished.
  @Test func aFileThatIsClosedAndOpenedAgainAtOnceFinishesOnce() async throws {
    let observed = try await ObservedFolder.begin()
    try await observed.saysExactly(["discovered a.txt", "copyFinished a.txt"]) { root in
      try root.write("a.txt")
      for _ in 0..<20 { try root.append("a.txt") }
    }
  }

  /// Each writer closes it within the quiet period after the last one.
  ///
  /// That is long here, so that a busy machine keeps no writer from it.
  @Test func aFileThatIsClosedAgainAndAgainIsAnnouncedAsCopying() async throws {
    var options = FileSystemObserver.Configuration()
    options.quietPeriod = .seconds(10)
    let observed = try await ObservedFolder.begin(options: options)
    try await observed.saysExactly(["discovered(copying) a.log", "copyFinished a.log"]) { root in
      let mark = observed.recorder.position
      try root.write("a.log")
      let writer = Task {
        while !Task.isCancelled {
          try root.append("a.log")
          try? await Task.sleep(for: .milliseconds(200))
        }
      }
      try await observed.recorder.awaitChange("a.log", from: mark) { $0.item.isCopying }
      writer.cancel()
      try await writer.value
    }
  }

  @Test func whatIsGoneBeforeItWasAnnouncedIsNotMentioned() async throws {
    let observed = try await ObservedFolder.begin()
    try await observed.saysExactly([]) { root in
      try root.write("4913")
      try root.unlink("4913")
      try root.write("temporary.txt")
      try root.rename("temporary.txt", "temporary2.txt")
      try root.unlink("temporary2.txt")
    }
  }

  @Test func aPartialNameBecomesTheFinalOne() async throws {
    let observed = try await ObservedFolder.begin()
    for suffix in [".part", ".crdownload", ".partial", ".filepart"] {
      let name = "data\(suffix).bin"
      try await observed.saysExactly(["discovered \(name)", "copyFinished \(name)"]) { root in
        try root.write("\(name)\(suffix)")
        try root.rename("\(name)\(suffix)", name)
      }
    }
  }

  /// A download that takes longer than the flash guard may be shown under its partial name, but is finished under the
  /// final one only.
  @Test func aSlowDownloadFinishesUnderItsFinalName() async throws {
    let observed = try await ObservedFolder.begin()
    let mark = observed.recorder.position
    let file = try observed.root.open("data.bin.part", .create)
    try file.write("one")
    try await observed.recorder.awaitChange("the partial file", from: mark) { $0.item.isCopying }
    try file.write("two")
    try observed.root.rename("data.bin.part", "data.bin")
    try await observed.settle()
    #expect(!observed.said(from: mark).contains { $0.hasPrefix("copyFinished") }, "it is still open")
    try file.write("three")
    file.close()
    try await observed.settle()
    let finished = observed.said(from: mark).filter { $0.hasPrefix("copyFinished") }
    #expect(finished == ["copyFinished data.bin"])
    try await observed.expectAgreement()
  }

  /// The browser's way: an empty file holds the final name until the partial one is complete.
  @Test func aPlaceholderBesideAPartialFileIsNotFinished() async throws {
    let observed = try await ObservedFolder.begin()
    let mark = observed.recorder.position
    let begun = Moment.now
    try observed.root.write("film.mkv", "")
    try observed.root.write("film.mkv.part", "some")
    try await observed.settle()
    // Where that takes half a minute, the partial file has rested for so long that it is complete.
    guard Moment.now < begun + .seconds(20) else { return }
    #expect(!observed.said(from: mark).contains { $0.hasPrefix("copyFinished") })
    try observed.root.rename("film.mkv.part", "film.mkv")
    try await observed.settle()
    #expect(observed.said(from: mark).filter { $0.hasPrefix("copyFinished") } == ["copyFinished film.mkv"])
    try await observed.expectAgreement()
  }

  @Test func aFileWithoutANameIsLinkedIn() async throws {
    let observed = try await ObservedFolder.begin()
    try await observed.saysExactly(["discovered a.txt", "copyFinished a.txt"]) { root in
      let file = try root.openUnnamed()
      try file.write("content")
      try file.link(to: root["a.txt"])
    }
  }

  @Test func aFileComesFromOutside() async throws {
    let observed = try await ObservedFolder.begin { try $0.outside.write("a.txt") }
    try await observed.saysExactly(["discovered a.txt", "copyFinished a.txt"]) {
      try $0.rename(observed.outside["a.txt"], "a.txt")
    }
  }

  /// What comes with a tag that no one here bears keeps it.
  @Test func aFileComesFromOutsideWithItsTag() async throws {
    let uuid = UUID()
    let observed = try await ObservedFolder.begin {
      try $0.outside.write("a.txt")
      try $0.outside.setTag("a.txt", uuid)
    }
    try await observed.saysExactly(["discovered a.txt", "copyFinished a.txt"]) {
      try $0.rename(observed.outside["a.txt"], "a.txt")
    }
    #expect(try observed.uuids("a.txt") == [uuid])
  }

  @Test func aFolderComesFromOutside() async throws {
    let observed = try await ObservedFolder.begin {
      try $0.outside.makeDirectories("d/e")
      try $0.outside.write("d/1.txt")
      try $0.outside.write("d/e/2.txt")
    }
    let expected =
      ["discovered d", "discovered d/e"]
      + ["d/1.txt", "d/e/2.txt"].flatMap { ["discovered \($0)", "copyFinished \($0)"] }
    try await observed.saysExactly(expected, order: .any) { try $0.rename(observed.outside["d"], "d") }
  }

  @Test func hiddenItemsAreObservedIfAskedFor() async throws {
    var options = FileSystemObserver.Configuration()
    options.includesHiddenItems = true
    let observed = try await ObservedFolder.begin(options: options) { try $0.watched.write(".a") }
    try await observed.saysExactly(["renamed .a -> .b"]) { try $0.rename(".a", ".b") }
    try await observed.saysExactly(["discovered .d"]) { try $0.mkdir(".d") }
    try await observed.saysExactly(["discovered .d/c", "copyFinished .d/c"]) { try $0.write(".d/c") }
  }

  @Test func hiddenAndExcludedItemsAreNotObserved() async throws {
    let observed = ObservedFolder(try TestFolder(), excluding: { $0.hasSuffix(".skip") || $0.hasPrefix("build") })
    observed.observer.excludedItems = ["*.skip", "build"]
    try await observed.start()
    try await observed.saysExactly([]) { root in
      try root.write(".hidden")
      try root.makeDirectories(".git/objects")
      try root.write(".git/objects/1")
      try root.write("a.skip")
      try root.makeDirectories("build/x")
      try root.write("build/x/y")
    }
    #expect(try observed.root.tag("build") == nil)
    #expect(try observed.root.tag("a.skip") == nil)
  }
}
