import FileTestSupport
import Testing

@testable import LinuxFileSystem

private struct Seen: Equatable {
  var mask: FanotifyMask
  var isOwn = false
  var place: [UInt8]?
  var old: [UInt8]?
  var new: [UInt8]?
  var directories: [FileHandle] = []
  var file: FileHandle?

  /// Something was malformed: what it said is lost.
  static let lost = Seen(mask: .queueOverflow)
}

/// What becomes of the bytes that `read(2)` gives, whole, cut and hostile.
struct FanotifyRecordsTests {
  private static let process: Int32 = 4711

  private func parse(_ records: [UInt8]) -> [Seen] {
    var seen: [Seen] = []
    unsafe records.span.withUnsafeBytes { bytes in
      unsafe FanotifyRecords(bytes, ownProcess: Self.process).forEach { event in
        var one = unsafe Seen(mask: event.mask, isOwn: event.isOwn, file: event.file?.handle)
        unsafe one.place = event.place.map { unsafe Array($0.name) }
        unsafe one.old = event.old.map { unsafe Array($0.name) }
        unsafe one.new = event.new.map { unsafe Array($0.name) }
        one.directories = unsafe [event.place, event.old, event.new].compactMap { unsafe $0?.directory.handle }
        seen.append(one)
      }
    }
    return seen
  }

  // MARK: Bytes as the kernel lays them out

  private func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    (0..<MemoryLayout<Value>.size).map { UInt8(truncatingIfNeeded: value >> Value($0 * 8)) }
  }

  private func info(
    _ type: UInt8, _ handle: [UInt8], name: [UInt8] = [], count: UInt32? = nil, length: UInt16? = nil
  ) -> [UInt8] {
    let header = bytes(UInt64(0x1122_3344_5566_7788)) + bytes(count ?? UInt32(handle.count)) + bytes(UInt32(1))
    let content = header + handle + name
    return [type, 0] + bytes(length ?? UInt16(content.count + 4)) + content
  }

  private func record(
    _ mask: FanotifyMask, _ infos: [UInt8], process: Int32 = 0, version: UInt8 = 3, metadata: UInt16 = 24,
    length: UInt32? = nil
  ) -> [UInt8] {
    bytes(length ?? UInt32(24 + infos.count)) + [version, 0] + bytes(metadata) + bytes(mask.rawValue)
      + bytes(Int32(-1)) + bytes(process) + infos
  }

  private let directory: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
  private let file: [UInt8] = [9, 10, 11, 12, 13, 14, 15, 16]

  private func handle(_ handle: [UInt8]) -> FileHandle {
    let system: UInt64 = 0x5566_7788_1122_3344
    return unsafe handle.span.withUnsafeBytes { unsafe KernelHandle(fileSystem: system, type: 1, bytes: $0).handle }
  }

  private var create: [UInt8] {
    record(.create, info(2, directory, name: Array("a.txt".utf8) + [0, 0, 0]) + info(1, file))
  }

  private var rename: [UInt8] {
    record(
      [.rename, .onDirectory],
      info(10, directory, name: [0x61, 0, 0, 0]) + info(12, file, name: [0x62, 0, 0, 0]) + info(1, [7]))
  }

  @Test func parsesRecordsOneAfterTheOther() {
    let own = record(.attribute, info(2, directory, name: [0x2e, 0]), process: Self.process)
    let seen = parse(create + rename + own + record(.queueOverflow, []))
    let expected = [
      Seen(mask: .create, place: Array("a.txt".utf8), directories: [handle(directory)], file: handle(file)),
      Seen(
        mask: [.rename, .onDirectory], old: [0x61], new: [0x62], directories: [handle(directory), handle(file)],
        file: handle([7])),
      Seen(mask: .attribute, isOwn: true, place: [0x2e], directories: [handle(directory)]),
      Seen.lost,
    ]
    #expect(seen == expected)
  }

  @Test func aRenameMayHaveOneSideOnly() {
    let out = parse(record(.rename, info(10, directory, name: [0x61, 0])))
    #expect(out == [Seen(mask: .rename, old: [0x61], directories: [handle(directory)])])
    let came = parse(record(.rename, info(12, directory, name: [0x61, 0])))
    #expect(came == [Seen(mask: .rename, new: [0x61], directories: [handle(directory)])])
  }

  /// What a later kernel may add is skipped.
  @Test func unknownInformationIsSkipped() {
    let unknown = [200, 0] + bytes(UInt16(8)) + [1, 2, 3, 4]
    let seen = parse(record(.create, unknown + info(2, directory, name: [0x61, 0]), metadata: 24))
    #expect(seen == [Seen(mask: .create, place: [0x61], directories: [handle(directory)])])
  }

  /// The kernel keeps no name of more than 255 bytes, and says of its directory only that something happened there.
  @Test func aRecordMayHaveNoName() {
    let seen = parse(record(.create, info(3, directory) + info(1, file)) + create)
    #expect(seen.map(\.place) == [[], Array("a.txt".utf8)])
    #expect(seen[0].directories == [handle(directory)] && seen[0].file == handle(file))
  }

  @Test func aRecordThatIsCutIsLost() {
    for whole in [create, rename] {
      for length in 1..<whole.count {
        #expect(parse(whole + whole.prefix(length)) == [parse(whole)[0], .lost], "\(length)")
      }
    }
    #expect(parse([]).isEmpty)
  }

  @Test func lengthsThatContradictAreLost() {
    let place = info(2, directory, name: [0x61, 0])
    let malformed: [[UInt8]] = [
      record(.create, place, version: 2),
      record(.create, place, length: 0), record(.create, place, length: 23), record(.create, place, length: .max),
      record(.create, place, metadata: 0), record(.create, place, metadata: 23), record(.create, place, metadata: .max),
      record(.create, info(2, directory, name: [0x61, 0], length: 0)),
      record(.create, info(2, directory, name: [0x61, 0], length: 3)),
      record(.create, info(2, directory, name: [0x61, 0], length: 19)),
      record(.create, info(2, directory, name: [0x61, 0], length: .max)),
      record(.create, info(2, directory, name: [0x61, 0], count: 9 + 2)),
      record(.create, info(2, directory, name: [0x61, 0], count: 129)),
      record(.create, info(2, directory, name: [0x61, 0], count: .max)),
      record(.create, info(1, file, count: .max)), record(.create, info(1, file, count: 9)),
      record(.create, [1, 0, 4]), record(.create, [1, 0, 4, 0]),
    ]
    for (index, bytes) in malformed.enumerated() { #expect(parse(bytes).last == .lost, "\(index)") }
  }

  @Test(arguments: [[], [0, 0], [0x61], [0x61, 0x62, 0x63], [0x61, 0x2f, 0x62, 0]] as [[UInt8]])
  func aNameThatCannotBeOneIsLost(_ name: [UInt8]) {
    #expect(parse(record(.create, info(2, directory, name: name))) == [.lost])
  }

  /// A malformed record takes nothing with it but itself, as long as its length is right.
  @Test func whatFollowsAMalformedRecordIsRead() {
    let malformed = record(.create, info(2, directory, name: [0x61]))
    #expect(parse(malformed + create) == [.lost] + parse(create))
  }

  /// Whatever the bytes are: nothing is read beyond them, which the sanitizer would say, and every name is a name.
  @Test(arguments: 1...200 as ClosedRange<UInt64>) func anyBytesCanBeRead(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var records = create + rename + create
    for _ in 0..<1 + Int.random(in: 0..<8, using: &random) {
      records[Int.random(in: 0..<records.count, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
    }
    for seen in parse(Array(records.prefix(Int.random(in: 0...records.count, using: &random)))) {
      for name in [seen.place, seen.old, seen.new].compactMap({ $0 }) {
        #expect(!name.isEmpty && !name.contains(0) && !name.contains(0x2f))
      }
    }
  }
}
