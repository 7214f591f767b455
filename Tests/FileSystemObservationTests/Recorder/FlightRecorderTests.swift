import FileEvents
import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// The ring of records, by itself.
struct FlightRecorderTests {
  /// Keeps a record with a number and a name.
  private func append(_ number: UInt32, _ name: [UInt8], to recorder: FlightRecorder) {
    recorder.append(FlightRecord(.scanned, number: number), named: name.span)
  }

  private func name(_ number: UInt32) -> [UInt8] { Array("name-\(number)-\(String(repeating: "x", count: 20))".utf8) }

  // MARK: - The ring

  @Test func nothingIsKeptAtFirst() {
    let snapshot = FlightRecorder(capacity: 4).snapshot()
    #expect(snapshot.records.isEmpty && snapshot.isComplete)
  }

  @Test(arguments: [1, 3, 4] as [UInt32]) func whatFitsIsComplete(_ count: UInt32) {
    let recorder = FlightRecorder(capacity: 4)
    for number in 0..<count { append(number, [UInt8(number) + 1], to: recorder) }
    let snapshot = recorder.snapshot()
    #expect(snapshot.isComplete)
    #expect(snapshot.records.map(\.number) == Array(0..<Int(count)))
    #expect(snapshot.records.map(\.record.number) == Array(0..<count))
    #expect(snapshot.records.map(\.name) == (0..<count).map { [UInt8($0) + 1] })
  }

  @Test(arguments: [5, 8, 9, 4099] as [UInt32]) func theOldestRecordsAreOverwritten(_ count: UInt32) {
    let recorder = FlightRecorder(capacity: 4, nameBytes: 1024)
    for number in 0..<count { append(number, name(number), to: recorder) }
    let snapshot = recorder.snapshot()
    #expect(!snapshot.isComplete)
    #expect(snapshot.records.map(\.record.number) == Array(count - 4..<count))
    #expect(snapshot.records.map(\.name) == (count - 4..<count).map { name($0) })
  }

  @Test func aNameIsLostBeforeItsRecord() {
    let recorder = FlightRecorder(capacity: 8, nameBytes: 64)
    for number in 0..<5 as Range<UInt32> { append(number, name(number), to: recorder) }
    let snapshot = recorder.snapshot()
    #expect(snapshot.records.count == 5 && !snapshot.isComplete)
    // Each takes four words of eight.
    #expect(snapshot.records.map(\.name) == [nil, nil, nil, name(3), name(4)])
  }

  @Test func aNameThatIsLongerThanTheRoomIsCut() {
    let recorder = FlightRecorder(capacity: 8, nameBytes: 64)
    append(1, Array(repeating: 65, count: 5_000), to: recorder)
    append(2, [66], to: recorder)
    #expect(recorder.snapshot().records.map(\.name) == [Array(repeating: 65, count: 32), [66]])
  }

  @Test(arguments: 0...33) func namesOfEachLengthComeBack(_ count: Int) {
    let recorder = FlightRecorder(capacity: 2, nameBytes: 128)
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 250 + $0) }
    append(1, bytes, to: recorder)
    append(2, [9], to: recorder)
    #expect(recorder.snapshot().records.map(\.name) == [bytes, [9]])
  }

  /// Every word of a record, and of its name, is made from its number: a torn one would show.
  @Test func whatIsReadWhileOneWritesIsWhole() throws {
    let recorder = FlightRecorder(capacity: 64, nameBytes: 512)
    let isDone = Mutex(false)
    // On a thread of its own: other tests may use all those of the tasks.
    let writer = try NativeThread(name: "writer") { [self] in
      for number in 0..<300_000 as Range<UInt32> {
        var record = FlightRecord(.scanned, number: number)
        for index in 0..<FlightRecord.payloadCount { record.payload[index] = UInt64(number) }
        recorder.append(record, named: name(number).span)
      }
      isDone.withLock { $0 = true }
    }
    var (seen, last) = (0, 0)
    repeat {
      let records = recorder.snapshot().records
      for one in records {
        let number = one.record.number
        #expect(one.number == Int(number))
        for index in 0..<FlightRecord.payloadCount { #expect(one.record.payload[index] == UInt64(number)) }
        #expect(one.name == nil || one.name == name(number))
      }
      #expect(records.isEmpty || records[records.count - 1].number >= last)
      last = records.last?.number ?? last
      seen += 1
    } while !isDone.withLock({ $0 })
    writer.join()
    #expect(seen > 0 && recorder.snapshot().records.count == 64)
  }

  @Test func aLossOfHintsIsRecordedWithItsPosition() throws {
    var batch = HintBatch(hints: [Hint(directory: MarkID(rawValue: 7), kinds: [.created, .directory])], first: 40)
    batch.noteLoss()
    let recorder = FlightRecorder(capacity: 8)
    recorder.noteStep(batch, isLast: false, at: MonotonicTime(nanoseconds: 5), wallClock: 6)
    let lines = recorder.text().split(separator: "\n").filter { $0.first?.isNumber == true }
    #expect(
      lines == [
        "0 step kind=hints at=5 wall=6 first=40 next=41 count=1 loss=1 last=no",
        "1 hint number=40 mark=7 kinds=created+directory traits=none cookie=0 inode=none", "2 overflow",
      ])
  }

  // MARK: - Names

  @Test(arguments: [
    "plain.txt", "with space", "100%", "a/b", "tab\tand\nline", "é.txt", "?", "", "name=value", "\u{1b}[31m",
  ])
  func aNameIsOneWordAndComesBack(_ name: String) {
    let text = RecordedName.text(name.utf8)
    #expect(!text.contains { $0 == " " || $0 == "?" || $0 == "/" || $0.isNewline })
    #expect(RecordedName.bytes(text.utf8) == Array(name.utf8))
  }

  @Test func bytesThatAreNoTextComeBack() {
    let bytes: [UInt8] = [0xe9, 0x41, 0xff, 0x80]
    #expect(RecordedName.text(bytes) == "%e9A%ff%80")
    #expect(RecordedName.bytes(RecordedName.text(bytes).utf8) == bytes)
    #expect(RecordedName.bytes("%4".utf8) == nil)
    #expect(RecordedName.bytes("%zz".utf8) == nil)
  }

  @Test func ofAHiddenNameOnlyItsExtensionAndMarksStay() {
    func hidden(_ name: String) -> String { String(decoding: RecordedName.hidden(name.utf8), as: UTF8.self) }
    #expect(hidden("letter to Anna.odt").wholeMatch(of: #/[0-9a-f]{8}\.odt/#) != nil)
    #expect(hidden(".~lock.letter.odt#").wholeMatch(of: #/\.~[0-9a-f]{8}\.odt#/#) != nil)
    #expect(hidden("letter~").wholeMatch(of: #/[0-9a-f]{8}~/#) != nil)
    #expect(hidden("letter").wholeMatch(of: #/[0-9a-f]{8}/#) != nil)
    #expect(hidden("an.extensionThatIsAName").wholeMatch(of: #/[0-9a-f]{8}/#) != nil)
    #expect(hidden("letter.odt") == hidden("letter.odt") && hidden("letter.odt") != hidden("lettre.odt"))
    // What was saved, and its backup, are known by the same hash.
    #expect(hidden("letter.odt").prefix(8) == hidden("letter.txt").prefix(8))
    #expect(hidden("..") == ".." && hidden("") == "")
  }
}
