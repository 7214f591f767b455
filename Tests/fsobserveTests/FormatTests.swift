import FileSystemObservation
import Foundation
import SystemPackage
import Testing

@testable import fsobserve

/// The lines themselves: they are a contract, key by key.
@Suite struct FormatTests {
  private static let uuid = UUID(uuid: (1, 35, 69, 103, 137, 171, 205, 239, 1, 35, 69, 103, 137, 171, 205, 239))
  private static let other = UUID(uuid: (254, 220, 186, 152, 118, 84, 50, 16, 254, 220, 186, 152, 118, 84, 50, 16))
  private static let uuidText = "01234567-89ab-cdef-0123-456789abcdef"
  private static let otherText = "fedcba98-7654-3210-fedc-ba9876543210"

  private func line(_ report: Report, _ format: any LineFormat = JSONLinesFormat(), sequence: UInt64 = 7) -> String {
    var lines: [UInt8] = []
    format.append(report, LineContext(sequence: sequence), to: &lines)
    return String(decoding: lines, as: UTF8.self)
  }

  private static func change(
    _ event: FileSystemChange.Event, _ path: FilePath, as kind: FileSystemItem.Kind = .file
  ) -> FileSystemChange {
    FileSystemChange(
      event,
      FileSystemItem.Snapshot(
        uuid: uuid, kind: kind, relativePath: FilePath(bytes: path.bytes.dropFirst()), directory: "/", size: 5,
        modificationNanoseconds: 1_700_000_000_000_000_001))
  }

  private static let original = FileSystemChange.Original(uuid: other, path: "/a")
  private static let new = FileSystemChange.Event.discovered(isCopying: false, isReturned: false)
  /// What stands at the end of every line about an item.
  private static let facts = #","size":5,"modified":1700000000.000000001,"identity":"tag""#

  @Test func aMoveIsTheLineOfTheDesign() {
    let expected =
      #"{"seq":7,"kind":"moved","uuid":"\#(Self.uuidText)","path":"/abs/new","previousPath":"/abs/old","type":"file"\#(Self.facts)}"#
    #expect(line(.change(Self.change(.moved(from: "/abs/old"), "/abs/new"))) == expected + "\n")
  }

  @Test(arguments: [
    (change(new, "/a"), #""kind":"discovered","uuid":"U","path":"/a","type":"file","isCopying":false"#),
    (
      change(.discovered(isCopying: true, isReturned: false), "/a", as: .directory),
      #""kind":"discovered","uuid":"U","path":"/a","type":"directory","isCopying":true"#
    ),
    (
      change(.discovered(isCopying: false, isReturned: true), "/a"),
      #""kind":"discovered","uuid":"U","path":"/a","type":"file","isCopying":false,"reason":"returned""#
    ),
    (change(.copyFinished, "/a"), #""kind":"copyFinished","uuid":"U","path":"/a","type":"file""#),
    (change(.modified, "/a"), #""kind":"modified","uuid":"U","path":"/a","type":"file""#),
    (
      change(.renamed(from: "/a"), "/b", as: .symlink),
      #""kind":"renamed","uuid":"U","path":"/b","previousPath":"/a","type":"symlink""#
    ),
    (
      change(.duplicated(of: original), "/b"),
      #""kind":"duplicated","uuid":"U","path":"/b","type":"file","originalUUID":"O","originalPath":"/a""#
    ),
    (change(.linked, "/b"), #""kind":"linked","uuid":"U","path":"/b","type":"file""#),
    (change(.unlinked, "/b"), #""kind":"unlinked","uuid":"U","path":"/b","type":"file""#),
    (
      change(.deleted(.movedOut), "/b"),
      #""kind":"deleted","uuid":"U","path":"/b","type":"file","reason":"movedOut""#
    ),
  ])
  func everyKindHasItsKeys(_ change: FileSystemChange, _ members: String) {
    let text = members.replacing(#""U""#, with: "\"\(Self.uuidText)\"")
    let expected = text.replacing(#""O""#, with: "\"\(Self.otherText)\"")
    #expect(line(.change(change)) == #"{"seq":7,\#(expected)\#(Self.facts)}"# + "\n")
  }

  @Test func notificationsHaveTheirKeys() {
    #expect(
      line(.willBeginFullScan(reason: "start"), sequence: 0)
        == #"{"seq":0,"kind":"willBeginFullScan","reason":"start"}"# + "\n")
    let complete = Report.didCompleteFullScan(items: 3, duration: .milliseconds(12_045))
    #expect(line(complete) == #"{"seq":7,"kind":"didCompleteFullScan","items":3,"seconds":12.045}"# + "\n")
    #expect(
      line(.diagnostic(FileSystemObserver.Diagnostic(code: .unreadableFolder, message: "no \"more\"", path: "/a")))
        == #"{"seq":7,"kind":"diagnostic","message":"no \"more\"","path":"/a","code":"unreadableFolder"}"# + "\n")
    #expect(
      line(.end(FileSystemObserverError(code: .rootLost, message: "no")))
        == #"{"seq":7,"kind":"diagnostic","message":"no","code":"rootLost"}"# + "\n")
    let limit = FileSystemObserver.Diagnostic.Limit(name: "fs.x", value: 1, suggestedValue: 2, command: "sysctl fs.x=2")
    let reached = FileSystemObserver.Diagnostic(code: .limitReached, message: "no", limit: limit)
    #expect(
      line(.diagnostic(reached))
        == #"{"seq":7,"kind":"diagnostic","message":"no","code":"limitReached","#
        + #""limit":{"name":"fs.x","value":1,"suggested":2,"command":"sysctl fs.x=2"}}"# + "\n")
  }

  /// What an event has besides comes last: whoever reads lines by their beginnings still can.
  @Test func whatWasAddedStandsAtTheEnd() throws {
    let cursor = try #require(FileSystemObserver.Cursor("00000000000000ab-7"))
    let context = LineContext(
      sequence: 7, root: "/abs", base: "/abs", time: 1_700_000_000_000_000_001, cursor: cursor, isFirst: true)
    var lines: [UInt8] = []
    JSONLinesFormat().append(.change(Self.change(.moved(from: "/abs/old"), "/abs/new")), context, to: &lines)
    let added = #","root":"/abs","time":1700000000.000000001,"cursor":"00000000000000ab-7","format":1"#
    let expected =
      #"{"seq":7,"kind":"moved","uuid":"\#(Self.uuidText)","path":"new","previousPath":"old","type":"file"\#(Self.facts)\#(added)}"#
    #expect(String(decoding: lines, as: UTF8.self) == expected + "\n")
  }

  @Test func aFollowerNamesItsFolder() {
    let report = Report.followed(Self.change(.moved(from: "/a/b"), "/c/b"), folder: Self.other)
    #expect(line(report).hasSuffix(#"\#(Self.facts),"with":"\#(Self.otherText)"}"# + "\n"))
    #expect(line(report, TextFormat()).hasSuffix("  /c/b  (was /a/b; with its folder)\n"))
  }

  /// For `xargs -0`: nothing is escaped, for nothing needs to be.
  @Test func linesThatEndInNULHavePathsAsTheyAre() {
    let path = FilePath(bytes: Array("/a\n\\".utf8) + [0xe9])
    var lines: [UInt8] = []
    TextFormat(endsInNUL: true).append(.change(Self.change(.modified, path)), LineContext(), to: &lines)
    #expect(lines == Array("modified      \(Self.uuidText)  ".utf8) + path.bytes + [0])
  }

  /// Every byte a file name can hold comes back from the line: through the text, or through its base64.
  @Test func anyPathComesBack() throws {
    for byte in UInt8.min...UInt8.max where byte != 0 && byte != UInt8(ascii: "/") {
      let bytes = Array("/a".utf8) + [byte] + Array("é".utf8)
      let text = line(.change(Self.change(.renamed(from: FilePath(bytes: bytes + bytes)), FilePath(bytes: bytes))))
      #expect(text.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0a } && text.utf8.count { $0 == 0x0a } == 1)
      let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      for (key, expected) in [("path", bytes), ("previousPath", bytes + bytes)] {
        let string = try #require(object[key] as? String)
        let raw = (object[key + "Base64"] as? String).flatMap { Data(base64Encoded: $0) }
        #expect(raw.map(Array.init) ?? Array(string.utf8) == expected)
        #expect((raw == nil) == (byte < 0x80), "base64 stands there only where it is needed")
      }
    }
  }

  @Test func base64StandsAtTheEnd() {
    let path = FilePath(bytes: Array("/caf".utf8) + [0xe9])
    let members = #""path":"/caf\#u{fffd}","type":"file","isCopying":false\#(Self.facts),"pathBase64":"L2NhZuk=""#
    #expect(
      line(.change(Self.change(Self.new, path)))
        == #"{"seq":7,"kind":"discovered","uuid":"\#(Self.uuidText)",\#(members)}"# + "\n")
  }

  @Test func textSaysTheSameForPeople() {
    let text = TextFormat()
    #expect(
      line(.change(Self.change(.moved(from: "/abs/old"), "/abs/new", as: .directory)), text)
        == "moved         \(Self.uuidText)  /abs/new/  (was /abs/old)\n")
    #expect(
      line(.change(Self.change(.discovered(isCopying: true, isReturned: true), "/a")), text)
        == "discovered    \(Self.uuidText)  /a  (returned; still being written)\n")
    #expect(
      line(.change(Self.change(.duplicated(of: Self.original), "/b")), text)
        == "duplicated    \(Self.uuidText)  /b  (copy of /a)\n")
    #expect(line(.diagnostic(FileSystemObserver.Diagnostic(code: .rootLost, message: "no")), text) == "")
  }

  /// Terminals obey DEL and U+0080 to U+009F, too, and some programs end a line at U+0085, U+2028 or U+2029.
  @Test func noFileNameCommandsWhoeverReadsTheLines() {
    let path = FilePath("/\u{7f}\u{80}\u{85}\u{9f}\u{a0}\u{e9}\u{2027}\u{2028}\u{2029}\u{202a}\u{1F4C4}")
    let members =
      #""path":"/\u007f\u0080\u0085\u009f\#u{a0}é\#u{2027}\u2028\u2029\#u{202a}\#u{1F4C4}","type":"file"\#(Self.facts)"#
    #expect(
      line(.change(Self.change(.modified, path)))
        == #"{"seq":7,"kind":"modified","uuid":"\#(Self.uuidText)",\#(members)}"# + "\n")
  }
}
