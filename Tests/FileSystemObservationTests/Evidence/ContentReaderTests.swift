import Dispatch
import FileIdentity
import FileTestSupport
import Glibc
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileSystemObservation

/// The thread that reads contents: what it answers, and that it stops at once.
struct ContentReaderTests {
  /// Counts bytes instead of making digests; each part takes as long as the test wants.
  private struct Counting: ContentDigesting {
    var slow: @Sendable () -> Void = {}

    func begin() -> (any RunningDigest)? { Running(slow: slow) }

    private final class Running: RunningDigest {
      let slow: @Sendable () -> Void
      var count: UInt64 = 0

      init(slow: @escaping @Sendable () -> Void) { self.slow = slow }

      func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        count += UInt64(bytes.count)
        slow()
        return true
      }

      func finish() -> ContentDigest? { ContentDigest(words: (count, 0, 0, 0)) }
    }
  }

  private let folder: ScratchFolder
  private let directory: DirectoryHandle

  init() throws {
    folder = try ScratchFolder()
    directory = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path, for: .search))
  }

  private func question(_ name: String, size: Int = 100) throws -> ContentReader.Question {
    try PlainFiles.write([UInt8](repeating: 1, count: size), to: folder.path(name))
    let status = try FileName(name).withView { (view) throws(Errno) in try FileStatus.of(view, in: directory.descriptor)
    }
    let question = ContentQuestion(
      id: nil, name: FileName(name), key: FileKey(status), size: status.size, modified: status.modified)
    return (question, directory)
  }

  /// Waits until files are old enough to be read: a younger one might change without another time.
  private func awaitAge(of questions: [ContentReader.Question]) {
    let youngest = questions.map(\.0.modified).max() ?? 0
    while WallClock.nanoseconds - youngest < 50_000_000 { sched_yield() }
  }

  /// Reads files, and waits for the answers; those that come too early are asked for again.
  private func outcomes(_ reader: ContentReader, _ questions: [ContentReader.Question]) async -> [ContentAnswer.Outcome]
  {
    var answers = await answers(reader, questions)
    for _ in 0..<100 where answers.contains(where: { $0.outcome == .changed }) {
      answers = await self.answers(reader, questions)
    }
    return answers.map(\.outcome)
  }

  private func answers(_ reader: ContentReader, _ questions: [ContentReader.Question]) async -> [ContentAnswer] {
    await withCheckedContinuation { continuation in
      reader.read(questions) { continuation.resume(returning: $0) }
    }
  }

  @Test(arguments: [false, true]) func filesAreAnsweredInTheirOrder(_ yields: Bool) async throws {
    let reader = try ContentReader(Counting(), yields: yields)
    defer { reader.stop() }
    let questions = try (1...20).map { try question("file \($0)", size: 100 * $0) }
    let outcomes = await outcomes(reader, questions)
    #expect(outcomes == (1...20).map { .digest(ContentDigest(words: (UInt64(100 * $0), 0, 0, 0))) })
  }

  @Test func whatIsAnotherFileByNowIsNotRead() async throws {
    let reader = try ContentReader(Counting(), yields: false)
    defer { reader.stop() }
    let replaced = try question("replaced")
    try PlainFiles.remove(folder.path("replaced"))
    try PlainFiles.makePipe(at: folder.path("replaced"))
    let gone = try question("gone")
    try PlainFiles.remove(folder.path("gone"))
    let grown = try question("grown")
    try PlainFiles.write([UInt8](repeating: 1, count: 101), to: folder.path("grown"))
    let answers = await answers(reader, [replaced, gone, grown])
    #expect(answers.map(\.outcome) == [.changed, .changed, .changed])
  }

  @Test func aPauseEndsTheGroupInTheMiddleOfAFile() async throws {
    let isReading = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let reader = try ContentReader(
      Counting {
        isReading.signal()
        mayGoOn.wait()
      }, yields: false)
    let large = try question("large", size: 3 * ContentReading.partSize)
    let other = try question("other")
    awaitAge(of: [large, other])
    // No task begins here: this one holds up a thread of theirs.
    let isAnswered = DispatchSemaphore(value: 0)
    reader.read([large, other]) { answers in
      #expect(answers == [])
      isAnswered.signal()
    }
    isReading.wait()
    reader.pause()
    mayGoOn.signal()
    isAnswered.wait()
    mayGoOn.signal()
    mayGoOn.signal()
    let next = await self.answers(reader, [other])
    #expect(next.map(\.outcome) == [.digest(ContentDigest(words: (100, 0, 0, 0)))])
    reader.stop()
  }

  @Test func itStopsInTheMiddleOfAFile() throws {
    let (isReading, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let reader = try ContentReader(
      Counting {
        isReading.signal()
        mayGoOn.wait()
      }, yields: false)
    let large = try question("large", size: 3 * ContentReading.partSize)
    awaitAge(of: [large])
    reader.read([large]) { _ in Issue.record("no answer comes after the end") }
    isReading.wait()
    let start = MonotonicTime.now
    reader.end()
    mayGoOn.signal()
    reader.stop()
    #expect(MonotonicTime.now - start < longestFarewell)
    // Nothing more is read.
    let isAnswered = DispatchSemaphore(value: 0)
    reader.read([large]) { answers in
      #expect(answers.map(\.outcome) == [.changed])
      isAnswered.signal()
    }
    isAnswered.wait()
  }
}
