import FileIdentity
import FoundationEssentials
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileSystemObservation

/// The text of a bookmark.
struct BookmarkTextTests {
  private static let uuid = UUIDBits(high: 0x0123_4567_89ab_cdef, low: 0x8123_4567_89ab_cdef)

  private func bookmark(
    _ path: FilePath = "/home/me/letter.txt", kind: FileSystemItem.Kind = .file,
    tagName: String = "user.fsobserver.uuid",
    handle: LastingHandle? = nil, content: FileTraits.Content? = nil
  ) -> FileBookmark {
    let traits = FileTraits(
      inode: 12, born: 1_700_000_000_123_456_789, fileSystem: 0xfeed, handle: handle, content: content)
    return FileBookmark(
      uuid: UUID(Self.uuid), path: path, kind: kind, identity: .tag, tagName: tagName, traits: traits)
  }

  /// Stored bookmarks must be read for ever: this text never changes.
  @Test func theFormStays() throws {
    let handle = LastingHandle(type: 1, bytes: [0, 0xff, 0x10])
    let text = bookmark("/home/me/a letter.txt", handle: handle).description
    #expect(
      text == "fsb1:ft:01234567-89ab-cdef-8123-456789abcdef:feed:c:1700000000123456789:1-00ff10:-:-:"
        + "/home/me/a%20letter.txt:4b77ccfbfb5b60bf")
    #expect(FileBookmark(text) == bookmark("/home/me/a letter.txt", handle: handle))
  }

  @Test func aFileInATrashFolderIsSaidToBeThere() {
    let (own, user) = (TrashFolders.own.string, UserEnvironment.userID)
    func isInTrash(_ path: String) -> Bool {
      FileBookmark.Resolution(path: FilePath(path), isStale: true, evidence: [.tag], bookmark: bookmark()).isInTrash
    }
    let trashed = [
      own + "/a.txt", own + "/folder/a.txt", "/disk/.Trash-\(user)/files/a.txt",
      "/disk/.Trash/\(user)/files/folder/a.txt",
    ]
    let others = [
      own, "/disk/.Trash-\(user)/files", "/disk/.Trash-\(user)/a.txt",
      "/disk/.Trash-\(user + 1)/files/a.txt", "/home/me/Trash/files/a.txt",
    ]
    #expect(trashed.filter { !isInTrash($0) } == [])
    #expect(others.filter { isInTrash($0) } == [])
  }

  @Test(arguments: [
    "/", "/a", "/with space", "/line\nbreak", "/colon:and%percent", "/ünïcödé/日本", "/'quotes\"$(x)`;&|<>*?[]{}!#\\",
  ])
  func aPathGoesThroughItsText(_ path: String) throws {
    for kind in FileSystemItem.Kind.allCases {
      let original = bookmark(FilePath(path), kind: kind)
      #expect(try FileBookmark(parsing: original.description) == original)
      #expect(
        original.description.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"'\"$`;&|<>*?[]{}!#\\()".utf8.contains($0) })
    }
  }

  @Test func everythingGoesThroughItsText() throws {
    let content = FileTraits.Content(size: 5, modified: -1)
    let handle = LastingHandle(type: -2, bytes: Array(0..<128))
    let paths = [FilePath(bytes: [0x2f, 0xff, 0xfe]), FilePath(bytes: [0x2f] + [UInt8](repeating: 0xe9, count: 4094))]
    for path in paths {
      let original = bookmark(path, tagName: "user.app: ü", handle: handle, content: content)
      #expect(try FileBookmark(parsing: original.description) == original)
      let data = try JSONEncoder().encode([original])
      #expect(try JSONDecoder().decode([FileBookmark].self, from: data) == [original])
      #expect(Set([original, original]).count == 1)
    }
  }

  private func code(_ text: String) -> FileBookmarkError.Code? {
    do throws(FileBookmarkError) {
      _ = try FileBookmark(parsing: text)
      return nil
    } catch {
      return error.code
    }
  }

  /// Each character counts: a text that was changed or cut off at any place is refused.
  @Test func aMangledTextIsRefused() {
    let text = bookmark(handle: LastingHandle(type: 1, bytes: [1, 2])).description
    #expect(code(text) == nil)
    for index in text.indices {
      var changed = text
      changed.replaceSubrange(index...index, with: text[index] == "0" ? "1" : "0")
      #expect(code(changed) != nil && FileBookmark(changed) == nil, "\(changed)")
      #expect(code(String(text[..<index])) == .malformed)
      var shorter = text
      shorter.remove(at: index)
      #expect(code(shorter) != nil, "\(shorter)")
    }
    for wrong in ["", " ", "fsb", "fsb1", "fsb1:", "\(text)\n", " \(text)", text.uppercased(), text + ":0", "/a/path"] {
      #expect(code(wrong) == .malformed, "\(wrong)")
    }
    #expect(code("fsb1:" + String(repeating: "a", count: 100_000)) == .malformed)
    #expect(code("fsb2:whatever:it:is") == .newerVersion)
  }

  /// A checksum is no proof of sense.
  @Test(arguments: [
    (1, "xt"), (1, "f"), (2, "0123"), (3, "g"), (4, ""), (5, "1.5"), (6, "1"), (6, "1-0"), (7, "1"), (9, "a"),
    (9, "%2"), (9, "/%00"), (9, "/%41"),
  ])
  func senselessFieldsAreRefused(_ field: Int, _ value: String) {
    var fields = bookmark().description.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    fields[field] = value
    let text = fields.dropLast().joined(separator: ":")
    #expect(code("\(text):\(Self.checksum(of: text))") == .malformed)
  }

  private static func checksum(of text: String) -> String {
    var checksum = StoredChecksum(seed: 1)
    unsafe checksum.append(Array(text.utf8).span.bytes)
    let digits = String(checksum.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  @Test func anErrorSaysWhatIsWrong() throws {
    let error = #expect(throws: FileBookmarkError.self) { try FileBookmark(parsing: "\u{1b}[1m\n/a") }
    #expect(error?.description.contains("is not a bookmark; a bookmark begins with fsb1:") == true)
    #expect(error?.description.contains("\u{1b}") == false)
    let data = Data("[\"fsb1:x\"]".utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([FileBookmark].self, from: data) }
  }
}
