import FileSystemObservation
import Glibc
import ObservationTestSupport
import TestTraits
import Testing

/// A change of size or of time of modification is `modified`, whatever made it, and however long it goes on.
@Suite(.light, .undisturbed) struct TimesTests {
  /// By which of its two events `touch` is noticed first is chance.
  @Test func eachFileThatIsTouchedIsTold() async throws {
    let names = (0..<12).map { "\($0).txt" }
    let observed = try await ObservedFolder.begin { folder in for name in names { try folder.watched.write(name) } }
    try await observed.saysExactly(names.map { "modified \($0)" }, order: .any) { root in
      for name in names { try Command.run("touch", root[name]) }
    }
  }

  @Test func theTimesOfAFileAreSetTo() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    try await observed.saysExactly(["modified a.txt"]) { try Command.run("touch", "-d", "2001-02-03", $0["a.txt"]) }
    try await observed.saysExactly([]) { try $0.chmod("a.txt", 0o600) }
  }

  /// The look that the new mode causes finds the new time.
  @Test func aMappedWriteIsToldThoughTheModeChangesBeforeTheClose() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt", "0123456789") }
    try await observed.saysExactly(["modified a.txt"]) { root in
      let file = unsafe Glibc.open(root["a.txt"], O_RDWR)
      defer { Glibc.close(file) }
      let mapping = unsafe try #require(mmap(nil, 10, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0))
      defer { unsafe munmap(mapping, 10) }
      unsafe mapping.storeBytes(of: 0x58, as: UInt8.self)
      try root.chmod("a.txt", 0o600)
      _ = try await observed.recorder.awaitChange("a.txt to be modified", from: 0) { $0.kind == .modified }
    }
  }

  /// The times of copies are set last: they belong to the copies.
  @Test func copiesWithTheirTimesAreNotModified() async throws {
    let observed = try await ObservedFolder.begin { folder in
      try folder.outside.write("a.txt")
      try Command.run("touch", "-d", "2001-02-03", folder.outside["a.txt"])
    }
    try await observed.saysExactly(["discovered a.txt", "copyFinished a.txt"]) {
      try Command.run("cp", "-p", observed.outside["a.txt"], $0["a.txt"])
    }
  }

  @Test(arguments: [-1, 3601]) func theIntervalHasARange(_ seconds: Int) throws {
    var options = FileSystemObserver.Configuration()
    options.modificationInterval = .seconds(seconds)
    let observed = ObservedFolder(try TestFolder(), options: options)
    let error = #expect(throws: FileSystemObserverError.self) { try observed.observer.start() }
    #expect(error?.code == .invalidArgument)
  }

  /// A log, and a document that is saved again and again, never rest.
  @Test(arguments: [false, true]) func aDocumentThatIsWrittenAllTheTimeIsTold(_ isReplaced: Bool) async throws {
    var options = FileSystemObserver.Configuration()
    options.modificationInterval = .seconds(1)
    let observed = try await ObservedFolder.begin(options: options) { try $0.watched.write("a.txt") }
    let before = try observed.uuids("a.txt")
    let mark = observed.recorder.position
    let deadline = Moment.now + .seconds(60)
    func count() -> Int { observed.said(from: mark).count { $0 == "modified a.txt" } }
    while count() < 3, Moment.now < deadline {
      if isReplaced {
        try observed.root.write(".a.txt.tmp", "again")
        try observed.root.rename(".a.txt.tmp", "a.txt")
      } else {
        try observed.root.append("a.txt")
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(count() >= 3)
    try await observed.settle()
    #expect(Set(observed.said(from: mark)) == ["modified a.txt"])
    #expect(try observed.uuids("a.txt") == before)
    try await observed.expectAgreement()
  }
}
