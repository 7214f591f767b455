import LinuxFileSystem
import SystemPackage
import Testing

struct FilePathTests {
  @Test(arguments: ["", "/", "a", "/a/b", "\u{1F4C4} é"]) func aPathHasItsBytes(_ text: String) {
    #expect(FilePath(bytes: Array(text.utf8)) == FilePath(text))
    #expect(FilePath(bytes: Array(text.utf8)).bytes == Array(text.utf8))
  }

  @Test func bytesNeedNotBeUTF8() {
    #expect(FilePath(bytes: [0x61, 0xff, 0xc3]).bytes == [0x61, 0xff, 0xc3])
    #expect(FilePath("/a").appending(bytes: [0xff, 0xfe]).bytes == [0x2f, 0x61, 0x2f, 0xff, 0xfe])
  }

  @Test func aNULEndsThePath() {
    #expect(FilePath(bytes: Array("ab\0cd".utf8)) == "ab")
    #expect(FilePath("/x").appending(bytes: Array("ab\0cd".utf8)) == "/x/ab")
  }

  @Test(arguments: [("/x", "a/b", "/x/a/b"), ("/", "a", "/a"), ("x/", "a", "x/a"), ("", "a", "a"), ("/x", "", "/x")])
  func anotherIsAppended(_ path: String, _ bytes: String, _ whole: String) {
    #expect(FilePath(path).appending(bytes: Array(bytes.utf8)) == FilePath(whole))
    // What is not in one piece of memory is copied byte by byte.
    #expect(FilePath(path).appending(bytes: Array(bytes.utf8.reversed()).reversed()) == FilePath(whole))
  }
}
