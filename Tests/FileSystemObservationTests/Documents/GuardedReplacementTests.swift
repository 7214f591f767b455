import FileIdentity
import FileTestSupport
import Glibc
import LinuxFileSystem
import Synchronization
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// A document that is replaced while another program saves it: in an imagined folder, at each step.
@Suite struct GuardedReplacementTests {
  /// A document and the hidden name beside it, with the number of the file at each; 1 is the document, 2 the new file.
  private struct Folder {
    var document: UInt64? = 1
    var hidden: UInt64 = 2
    /// What another program does before each exchange: the number of the file that it saves, 0 if it removes the file.
    var others: [UInt64?]
    var exchanges = 0

    static func status(_ number: UInt64) -> FileStatus {
      FileStatus(device: 1, inode: number, born: 100 + Int64(number), kind: .file)
    }

    mutating func perform(_ step: GuardedReplacement.Step) throws(Errno) -> FileStatus? {
      switch step {
      case .exchange:
        exchanges += 1
        if !others.isEmpty, let number = others.removeFirst() { document = number == 0 ? nil : number }
        guard let document else { throw .noSuchFileOrDirectory }
        (self.document, hidden) = (hidden, document)
        return nil
      case .look: return Self.status(hidden)
      case .putBack:
        guard document == nil else { throw .fileExists }
        document = hidden
        return nil
      }
    }
  }

  private func replace(_ folder: inout Folder) throws(Errno) -> GuardedReplacement.Outcome {
    let replacement = GuardedReplacement(
      made: FileKey(Folder.status(2)), replacing: .version(FileSystemObserver.ContentVersion(Folder.status(1))))
    return try replacement.run { step throws(Errno) in try folder.perform(step) }
  }

  @Test(
    arguments: [
      ([], .replaced, 2, 1), ([3], .refused, 3, 2), ([3, 4], .refused, 4, 3), ([3, 4, 5], .refused, 5, 4),
      ([3, nil, 5], .refused, 3, 2), ([3, 0], .refused, 3, 3),
    ] as [([UInt64?], GuardedReplacement.Outcome, UInt64, UInt64)])
  func whatWasSavedLastStays(
    _ others: [UInt64?], _ outcome: GuardedReplacement.Outcome, _ document: UInt64, _ hidden: UInt64
  ) throws {
    var folder = Folder(others: others)
    #expect(try replace(&folder) == outcome)
    #expect(folder.document == document)
    #expect(folder.hidden == hidden)
  }

  @Test func aDocumentThatWasRemovedIsNotMade() throws {
    var folder = Folder(others: [0])
    #expect(throws: Errno.noSuchFileOrDirectory) { try replace(&folder) }
    #expect(folder.document == nil && folder.hidden == 2)
  }

  @Test func whoSavesForeverIsLeftAlone() throws {
    var folder = Folder(others: (3...5_000).map { $0 })
    #expect(try replace(&folder) == .stuck(.resourceBusy))
    #expect(folder.exchanges < 2_000)
    #expect(folder.hidden == 3 + UInt64(folder.exchanges) - 1, "what was saved last is kept under the hidden name")
  }
}

/// The same with two writers of a real document.
@Suite(.busy) struct GuardedSaveTests {
  private let operations = DocumentOperations(tag: FileTag())
  private let fixture: DocumentFixture

  init() throws {
    fixture = try DocumentFixture()
  }

  /// The program saves just before the names are exchanged.
  @Test func whatAnotherProgramHasSavedIsThereAgain() throws {
    let version = try operations.version(ofItemAt: fixture.path)
    let place = try DocumentPlace(fixture.path, for: .replace(fixture.path))
    var temporary = TemporaryName(in: place.folder)
    let made = FileKey(try FileStatus.of(try temporary.createFile()))
    try PlainFiles.write([1, 2, 3], to: fixture.folder.path("theirs"))
    try PlainFiles.rename(fixture.folder.path("theirs"), to: fixture.path)
    let theirs = FileKey(try place.status())
    let replacement = GuardedReplacement(made: made, replacing: .version(version))
    #expect(try temporary.exchange(with: place, replacement) == .refused)
    #expect(try PlainFiles.read(fixture.path) == [1, 2, 3])
    #expect(FileKey(try place.status()) == theirs)
    #expect(FileKey(try temporary.status()) == made)
    let current = GuardedReplacement(
      made: made, replacing: .version(try operations.version(ofItemAt: fixture.path)))
    #expect(try temporary.exchange(with: place, current) == .replaced)
    #expect(FileKey(try place.status()) == made)
    #expect(FileKey(try temporary.status()) == theirs)
  }

  /// The app appends an exclamation mark to what it has read; another program saves numbers, and must find its own.
  @Test(.timeLimit(.minutes(10))) func nothingThatAnotherProgramSavesIsLost() throws {
    let path = fixture.path
    try PlainFiles.write("0".utf8, to: path)
    let isOver = Atomic(false)
    let saves = Atomic(0)
    let app = try NativeThread(name: "app") { [operations] in
      while !isOver.load(ordering: .acquiring) {
        if Self.append("!", to: path, operations) { saves.add(1, ordering: .relaxed) }
      }
    }
    defer { app.join() }
    defer { isOver.store(true, ordering: .releasing) }
    var (number, lost, pauses) = (0, [Int](), SplitMix64(seed: 1))
    while number < 150 || saves.load(ordering: .relaxed) < 3 {
      number += 1
      try PlainFiles.write("\(number)".utf8, to: fixture.folder.path("theirs"))
      try PlainFiles.rename(fixture.folder.path("theirs"), to: path)
      if !hasCome(number, at: path) { lost.append(number) }
      // Both meet at any of their steps. On a busy machine the app needs longer.
      usleep(.random(in: 0...UInt32(2_000 + number * 10), using: &pauses))
    }
    #expect(lost == [])
  }

  /// Reads and saves; whether nobody has changed the document in between.
  private static func append(_ text: String, to path: FilePath, _ operations: DocumentOperations) -> Bool {
    guard let version = try? operations.version(ofItemAt: path), let read = try? PlainFiles.read(path),
      (try? operations.version(ofItemAt: path)) == version
    else { return false }
    let new = read + Array(text.utf8)
    return (try? operations.replaceContents(of: path, with: new, ifUnchangedSince: version, uuid: nil)) != nil
  }

  /// Whether what another program saved is there, with or without what the app has added since.
  ///
  /// A save that is given back is away for a moment.
  private func hasCome(_ number: Int, at path: FilePath) -> Bool {
    let deadline = MonotonicTime.now + 20_000_000_000
    while MonotonicTime.now < deadline {
      guard let bytes = try? PlainFiles.read(path) else { continue }
      if String(decoding: bytes, as: UTF8.self).trimmingSuffix(while: { $0 == "!" }) == "\(number)" { return true }
    }
    return false
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    var rest = self[...]
    while let last = rest.last, isTrimmed(last) { rest.removeLast() }
    return String(rest)
  }
}
