import FileIdentity
import FileSystemObservation
import FileTestSupport
import Synchronization
import SystemPackage
import TestTraits
import Testing

/// Documents that another program writes while they are read.
@Suite struct ReadContentsTests {
  private let fixture: DocumentFixture
  private let operations = DocumentOperations(tag: FileTag())

  init() throws { fixture = try DocumentFixture() }

  /// Reads the document; the closure is called with the number of each reading, once the file is open.
  private func read(_ beforeReading: @escaping @Sendable (Int) -> Void) throws(FileSystemObserverError) -> [UInt8] {
    let count = Mutex(0)
    let operations = DocumentOperations(
      tag: FileTag(),
      beforeStep: { step in
        guard step == .readContents else { return }
        beforeReading(
          count.withLock { count in
            count += 1
            return count
          })
      })
    return Array(try operations.contents(of: fixture.path).data)
  }

  private func write(_ contents: [UInt8]) {
    #expect(throws: Never.self) { try PlainFiles.write(contents, to: fixture.path) }
  }

  @Test func whatIsWrittenMeanwhileIsReadAgain() throws {
    let contents = try read { [self] reading in if reading == 1 { write(DocumentFixture.newContents) } }
    #expect(contents == DocumentFixture.newContents)
  }

  @Test func whatIsReplacedMeanwhileIsReadAsItWas() throws {
    let contents = try read { [self] _ in
      #expect(throws: Never.self) {
        try PlainFiles.write(DocumentFixture.newContents, to: fixture.folder.path("new"))
        try PlainFiles.rename(fixture.folder.path("new"), to: fixture.path)
      }
    }
    #expect(contents == DocumentFixture.oldContents)
  }

  @Test(arguments: [[7], []]) func whatBecomesShorterIsReadAgain(_ shorter: [UInt8]) throws {
    let contents = try read { [self] reading in if reading == 1 { write(shorter) } }
    #expect(contents == shorter)
  }

  @Test func whatIsWrittenAllTheTimeIsNotRead() throws {
    let error = #expect(throws: FileSystemObserverError.self) {
      try read { [self] reading in write(Array(repeating: UInt8(reading), count: reading)) }
    }
    #expect(error?.code == .itemIsBusy && error?.path == fixture.path)
    #expect(error?.message.contains("another program writes it") == true)
  }

  /// Some programs keep their document open for writing.
  @Test func whatAProgramHasOpenIsReadOnceItIsAtRest() throws {
    let file = try FileDescriptor.open(fixture.path, .readWrite)
    let atRest = try read { _ in }
    #expect(atRest == DocumentFixture.oldContents)
    let readings = Mutex(0)
    let contents = try read { reading in
      readings.withLock { $0 = reading }
      guard reading == 2 else { return }
      #expect(throws: Never.self) { try file.writeAll(toAbsoluteOffset: 0, "THE NEW".utf8) }
    }
    #expect(contents == Array("THE NEW contents".utf8) && readings.withLock { $0 } == 4)
    try file.close()
  }

  @Test func nothingIsChanged() throws {
    let before = try fixture.snapshot()
    _ = try operations.contents(of: fixture.path)
    #expect(try fixture.snapshot() == before)
  }
}
