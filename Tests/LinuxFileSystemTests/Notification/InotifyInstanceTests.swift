import FileTestSupport
import Glibc
import SystemPackage
import Testing

@testable import LinuxFileSystem

private struct Seen: Equatable {
  var watch: Int32
  var mask: InotifyMask
  var cookie: UInt32
  var name: [UInt8]
}

struct InotifyInstanceTests {
  private func parse(_ records: [UInt8]) -> [Seen] {
    var seen: [Seen] = []
    unsafe records.span.withUnsafeBytes { bytes in
      unsafe InotifyInstance.parse(bytes) { event in
        unsafe seen.append(
          Seen(watch: event.watch.rawValue, mask: event.mask, cookie: event.cookie, name: Array(event.name)))
      }
    }
    return seen
  }

  /// The bytes of one `struct inotify_event`.
  private func record(_ watch: Int32, _ mask: InotifyMask, _ cookie: UInt32, _ padded: [UInt8]) -> [UInt8] {
    let numbers = [UInt32(bitPattern: watch), mask.rawValue, cookie, UInt32(padded.count)]
    return unsafe numbers.span.withUnsafeBytes { unsafe Array($0) } + padded
  }

  @Test func parsesRecordsOneAfterTheOther() {
    let name = Array("a.txt".utf8) + [UInt8](repeating: 0, count: 11)
    let full = [UInt8](repeating: 0xff, count: 16)
    let records =
      record(1, .create, 0, name) + record(2, [.movedFrom, .isDirectory], 77, full) + record(-1, .queueOverflow, 0, [])
    #expect(
      parse(records) == [
        Seen(watch: 1, mask: .create, cookie: 0, name: Array("a.txt".utf8)),
        Seen(watch: 2, mask: [.movedFrom, .isDirectory], cookie: 77, name: full),
        Seen(watch: -1, mask: .queueOverflow, cookie: 0, name: []),
      ])
  }

  /// NTFS and exFAT by FUSE have names of 255 UTF-16 units, which are up to 765 bytes.
  @Test func aLongNameIsReadWhole() {
    for count in [255, 256, 765, 1024, 4095] {
      let name = [UInt8](repeating: 0x61, count: count)
      let padded = name + [UInt8](repeating: 0, count: 16 - count % 16)
      #expect(parse(record(1, .create, 0, padded)).map(\.name) == [name])
    }
  }

  /// The kernel gives whole records only; what is cut must not be read beyond.
  @Test func aRecordThatIsCutIsLeftOut() {
    let whole = record(1, .create, 0, [0x61, 0, 0, 0])
    for length in 1..<whole.count {
      #expect(parse(whole + whole.prefix(length)).count == 1, "\(length)")
    }
    #expect(parse([]).isEmpty)
  }

  @Test func readsWhatHappensInTheWatchedFolderInOrder() throws {
    let folder = try ScratchFolder()
    let inotify = try InotifyInstance()
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    let watch = try inotify.watch(
      directory, for: [.create, .closeWrite, .movedFrom, .movedTo, .delete, .onlyDirectory])
    #expect(try events(of: inotify).isEmpty, "nothing has happened, and reading does not block")
    try PlainFiles.write([1], to: folder.path("a"))
    try PlainFiles.rename(folder.path("a"), to: folder.path("b"))
    try PlainFiles.remove(folder.path("b"))
    let seen = try events(of: inotify)
    #expect(seen.map(\.mask) == [.create, .closeWrite, .movedFrom, .movedTo, .delete])
    #expect(seen.map { String(decoding: $0.name, as: UTF8.self) } == ["a", "a", "a", "b", "b"])
    #expect(seen.allSatisfy { $0.watch == watch.rawValue })
    #expect(seen[2].cookie != 0 && seen[2].cookie == seen[3].cookie)
  }

  @Test func theSameFolderHasTheSameWatchAndARemovedOneIsIgnored() throws {
    let folder = try ScratchFolder()
    let inotify = try InotifyInstance()
    let directory = try OwnedDescriptor.openDirectory(at: folder.path, for: .search)
    let again = try OwnedDescriptor.openDirectory(at: folder.path, for: .list)
    let watch = try inotify.watch(directory, for: .create)
    #expect(try inotify.watch(again, for: .create) == watch)
    inotify.removeWatch(watch)
    inotify.removeWatch(watch)
    #expect(try events(of: inotify).map(\.mask) == [.ignored])
  }

  private func events(of inotify: borrowing InotifyInstance) throws -> [Seen] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { unsafe buffer.deallocate() }
    var seen: [Seen] = []
    _ = unsafe try inotify.readEvents(into: buffer) { event in
      unsafe seen.append(
        Seen(watch: event.watch.rawValue, mask: event.mask, cookie: event.cookie, name: Array(event.name)))
    }
    return seen
  }
}
