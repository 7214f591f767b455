import LinuxFileSystem
import SystemPackage
import Testing

struct FileNameTests {
  @Test func keepsBytesThatAreNotUTF8() {
    let bytes: [UInt8] = [0x66, 0xff, 0xfe, 0x2e]
    let name = FileName(bytes: bytes)
    #expect(name.count == 4)
    #expect(Array(name.bytes) == bytes)
    #expect(name.description == "f\u{fffd}\u{fffd}.")
  }

  @Test func equalityAndHashAreThoseOfTheBytes() {
    // é as one scalar and as two: equal as strings, two files on Linux.
    #expect("\u{e9}" == "e\u{301}")
    #expect(FileName("\u{e9}") != FileName("e\u{301}"))
    #expect(Set([FileName("a"), FileName("a"), FileName("b")]).count == 2)
  }

  @Test(arguments: [("a", "a"), ("a", "b"), ("a", "ab"), ("ab", "a"), ("", ""), ("", "a"), ("a", ""), ("a", "a\0")])
  func consistsOfItsBytesOnly(_ name: String, _ bytes: String) {
    let isSame = unsafe Array(bytes.utf8).withUnsafeBufferPointer { unsafe FileName(name).consists(of: $0) }
    #expect(isSame == (name == bytes))
    #expect((FileName(name) == FileName(bytes)) == (name == bytes))
  }

  @Test(arguments: [(".", true), (".a", true), ("a.", false), ("", false)])
  func isHidden(_ text: String, _ expected: Bool) {
    let name = FileName(text)
    #expect(name.isHidden == expected)
    #expect(name.withView { $0.isHidden } == expected)
  }

  @Test func viewIsTerminatedAndCopiesBack() {
    let name = FileName(String(repeating: "x", count: 255))
    let (copy, terminator, count) = name.withView { view in
      unsafe (FileName(view), view.cString[view.count], view.count)
    }
    #expect(copy == name)
    #expect(terminator == 0)
    #expect(count == 255)
  }

  @Test func errorsPassThroughAView() {
    #expect(throws: Errno.noData) {
      try FileName("a").withView { (_) throws(Errno) in throw .noData }
    }
  }

  @Test func readsAPathComponentByteForByte() throws {
    let path: [CChar] = [0x2f, 0x61, 0x2f, -1, 0x62, 0]
    let component = try #require(FilePath(platformString: path).lastComponent)
    #expect(Array(FileName(component).bytes) == [0xff, 0x62])
  }
}
