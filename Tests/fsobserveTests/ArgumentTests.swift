import Foundation
import SystemPackage
import Testing

@testable import fsobserve

/// What becomes of the words of the command line.
@Suite struct ArgumentTests {
  @Test(
    arguments: [
      [], Array("plain é".utf8), [0xff], [0x61, 0xe9, 0x62], [0xc3], [0x61, 0xed, 0xa0, 0x80, 0x7a],
      Array("--x=".utf8) + [0x80],
    ] as [[UInt8]])
  func anyBytesPassThroughTheParser(_ bytes: [UInt8]) {
    #expect(RawArgument.decode(RawArgument.encode(bytes)) == bytes)
  }

  @Test func messagesShowRawArgumentsReadably() {
    let message = "no '\(RawArgument.encode([0x61, 0xe9, 0x62]))' and no '\(RawArgument.encode([0xff]))1'"
    #expect(RawArgument.display(message) == "no 'a\u{fffd}b' and no '\u{fffd}1'")
  }

  @Test(arguments: [
    "*", "*.o", "[a-z]*", "[]]", "[!]a]", "\\[", "a/b/*", "[^x]", "[\\]]", "build/", "**/x", "!a", "a ",
  ])
  func patternsThatAreWellFormed(_ pattern: String) throws {
    #expect(try Parsing.pattern(pattern) == pattern)
  }

  @Test(arguments: ["", "[", "[a", "[]", "[!]", "a\\", "[\\]", "x[a-", "#a", "!", "/", "a//b", "./a", " "])
  func patternsThatAreNot(_ pattern: String) {
    #expect(throws: (any Error).self) { try Parsing.pattern(pattern) }
  }

  @Test func numbers() throws {
    #expect(try Parsing.seconds("0.25") == .milliseconds(250))
    #expect(try Parsing.seconds("0") == .zero)
    #expect(try Parsing.levels("12") == 12)
    for text in ["", " 1", "1 s", "-0.1", "nan", "inf", "3600.1", "1e9", "0x"] {
      #expect(throws: (any Error).self, "\(text)") { try Parsing.seconds(text) }
    }
  }

  @Test(arguments: [
    ("scann", "scan"), ("scam", "scan"), ("wtach", "watch"), ("doc", "doctor"), ("json", "jsonl"), ("poll", "polling"),
    ("nope", nil), ("x", nil), ("", nil), ("i", "id"), ("ids", "id"),
  ])
  func whatMayHaveBeenMeant(_ given: String, _ meant: String?) {
    let words = ["scan", "watch", "id", "find", "untag", "doctor", "jsonl", "polling"]
    #expect(Suggestion.word(for: given, among: words) == meant)
  }

  @Test(arguments: [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("ab", "ba", 2)])
  func lettersThatDiffer(_ first: String, _ second: String, _ count: Int) {
    #expect(Suggestion.distance(from: first, to: second) == count)
  }

  @Test func uuidsInEitherCase() throws {
    let uuid = UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")
    #expect(try Parsing.uuid("01234567-89AB-cdef-0123-456789abcDEF") == uuid)
    for text in ["", "0123456789abcdef0123456789abcdef", "{01234567-89ab-cdef-0123-456789abcdef}"] {
      #expect(throws: (any Error).self) { try Parsing.uuid(text) }
    }
  }
}
