import LinuxFileSystem
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// The formats of the trash specification, without a disk.
@Suite(.busy) struct TrashFormatTests {
  @Test func whatIsWrittenIsReadAgain() throws {
    let date = LocalTime(year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 5)
    let every = FilePath(bytes: [UInt8(ascii: "/")] + (1...255).map { UInt8($0) })
    for path in [every, "/plain/name.txt", "relative/näme", "/a b%20c"] as [FilePath] {
      let info = TrashInfo(path: path, deleted: date)
      #expect(TrashInfo(bytes: info.bytes) == info)
      #expect(info.bytes.allSatisfy { $0 < 0x80 })
    }
    let info = TrashInfo(path: "/a b", deleted: date)
    #expect(
      String(decoding: info.bytes, as: UTF8.self) == "[Trash Info]\nPath=/a%20b\nDeletionDate=2026-01-02T03:04:05\n")
  }

  @Test(arguments: [
    "[Trash Info]\nPath=/x\n", "[Trash Info]\r\nPath=/x\r\nDeletionDate=nonsense\r\n",
    "[Trash Info]\nOther=1\n  Path = /x\nPath=/y", "[Trash Info]\nDeletionDate=2026-13-01T00:00:00\nPath=/%78",
  ])
  func aStrangeFileIsReadAsFarAsPossible(_ text: String) {
    #expect(TrashInfo(bytes: Array(text.utf8)) == TrashInfo(path: "/x", deleted: nil))
  }

  @Test(arguments: [
    "", "Path=/x\n", "[Trash Info]\n", "[Trash Info]\nPath=\n", "[Trash Info]\nPath=/%zz\n",
    "[Trash Info]\nPath=/%4", "[Trash Info]\nPath=/%00", "[Trash Info]\nPath=/%+1",
  ])
  func aMalformedFileIsNotRead(_ text: String) {
    #expect(TrashInfo(bytes: Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    ("a.txt", "a.2.txt"), ("a", "a.2"), (".hidden", ".hidden.2"), ("a.tar.gz", "a.tar.2.gz"), ("a.", "a.2."),
  ])
  func aNumberComesBeforeTheExtension(_ name: String, _ second: String) {
    let names = TrashName(FileName(name))
    #expect(names.candidate(1) == FileName(name) && names.candidate(2) == FileName(second))
  }

  @Test(arguments: [String(repeating: "n", count: 255), String(repeating: "ä", count: 125) + ".text"])
  func aLongNameLeavesRoomForTheInfoFile(_ name: String) {
    let names = TrashName(FileName(name))
    for number in [1, 2, 99_999] {
      let candidate = names.candidate(number)
      #expect(candidate.count + TrashInfo.suffix.utf8.count <= 255)
      #expect(String(validating: candidate.bytes, as: UTF8.self) != nil, "no character is cut in two")
      #expect(candidate.description.hasSuffix(".text") == name.hasSuffix(".text"))
    }
  }

  @Test func aTimeSurvivesTheLocalTimeZone() {
    for seconds in [0, 1_000_000_000, 1_795_629_943] as [Int64] {
      #expect(LocalTime(seconds: seconds).seconds == seconds)
    }
  }
}
