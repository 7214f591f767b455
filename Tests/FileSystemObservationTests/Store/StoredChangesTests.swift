import FileIdentity
import FoundationEssentials
import Testing

@testable import FileSystemObservation

/// Sets of changes as a store keeps them.
struct StoredChangesTests {
  @Test(arguments: 0..<4) func whatIsReadIsWhatWasAnnounced(_ seed: Int) throws {
    var world = RandomGraph(seed: UInt64(seed))
    for sequence in 1...30 as ClosedRange<UInt64> {
      let log = world.takeLog(of: 6).whole
      let bytes = StoredChanges.changes(log).bytes
      guard case .changes(let read) = try StoredChanges(bytes: bytes) else {
        return #expect(Bool(false), "it is another form")
      }
      let before = FileSystemChanges(log, nil, sequence: sequence, directory: "/T")
      let after = FileSystemChanges(read, nil, sequence: sequence, directory: "/T")
      #expect(before == after)
      #expect(before.steps.count == after.steps.count)
    }
  }

  /// An item that has ended is recognised by its inode when it comes back; device numbers do not last.
  @Test func theInodeOfWhatEndedIsKeptWithoutItsDevice() throws {
    var world = RandomGraph(seed: 3)
    var found = 0
    for _ in 0..<30 {
      let log = world.takeLog(of: 6).whole
      guard case .changes(let read) = try StoredChanges(bytes: StoredChanges.changes(log).bytes) else { continue }
      for (record, kept) in zip(log.records, read.records) {
        #expect((record.key == nil) == (record.kind != .deleted))
        #expect(
          kept.key?.inode == record.key?.inode && kept.key?.born == record.key?.born && kept.key?.device ?? 0 == 0)
        found += record.key == nil ? 0 : 1
      }
    }
    #expect(found > 0)
  }

  @Test func theContentOfARemovedFileIsKept() throws {
    var world = RandomGraph(seed: 5)
    var log = world.takeLog(of: 6).whole
    while !log.records.contains(where: { $0.kind == .deleted }) { log = world.takeLog(of: 6).whole }
    let removed = try #require(log.records.first { $0.kind == .deleted }).uuid
    log.removedContents[removed] = ContentDigest(words: (1, .max, 3, 1 << 63))
    guard case .changes(let read) = try StoredChanges(bytes: StoredChanges.changes(log).bytes) else {
      return #expect(Bool(false), "it is another form")
    }
    #expect(read.removedContents == log.removedContents && read.records.map(\.uuid) == log.records.map(\.uuid))
  }

  @Test func eachDamagedByteIsFound() throws {
    var world = RandomGraph(seed: 2)
    let bytes = StoredChanges.changes(world.takeLog(of: 6).whole).bytes
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 4
      #expect(throws: StoredDataError.self) { try StoredChanges(bytes: damaged) }
      #expect(throws: StoredDataError.self) { try StoredChanges(bytes: Array(bytes[..<index])) }
    }
  }

  @Test func theOtherFormsAreKeptToo() throws {
    guard case .gap = try StoredChanges(bytes: StoredChanges.gap.bytes),
      case .wholeTree = try StoredChanges(bytes: StoredChanges.wholeTree.bytes)
    else { return #expect(Bool(false)) }
  }

  @Test func numbersOfAnySizeAreKept() throws {
    var writer = StoredBytesWriter()
    let numbers = [0, 1, 127, 128, 16_383, 16_384, .max, .min, -1]
    for number in numbers { writer.append(short: number) }
    var reader = StoredBytesReader(writer.bytes[...])
    for number in numbers { #expect(try reader.takeShort() == number) }
    #expect(reader.isAtEnd)
    var endless = StoredBytesReader([UInt8](repeating: 0xff, count: 20)[...])
    #expect(throws: StoredDataError.self) { try endless.takeShort() }
  }
}
