import LinuxFileSystem
import Testing

@testable import FileSystemObservation

struct NameSeriesTests {
  private func names(_ name: String, _ naming: FileSystemObserver.ItemNaming, isFolder: Bool = false) -> [String] {
    var series = naming.names(after: FileName(name), isFolder: isFolder)
    return (0..<3).map { _ in series.next().description }
  }

  @Test(arguments: [
    ("report.odt", ["report (2).odt", "report (3).odt", "report (4).odt"]),
    ("report (2).odt", ["report (3).odt", "report (4).odt", "report (5).odt"]),
    ("report (0).odt", ["report (2).odt", "report (3).odt", "report (4).odt"]),
    ("report (2019).odt", ["report (2019) (2).odt", "report (2019) (3).odt", "report (2019) (4).odt"]),
    ("report", ["report (2)", "report (3)", "report (4)"]),
    (".profile", [".profile (2)", ".profile (3)", ".profile (4)"]),
    ("a.tar.gz", ["a (2).tar.gz", "a (3).tar.gz", "a (4).tar.gz"]),
    (".tar.gz", [".tar (2).gz", ".tar (3).gz", ".tar (4).gz"]),
    ("(2).odt", ["(2) (2).odt", "(2) (3).odt", "(2) (4).odt"]),
    ("a.", ["a (2).", "a (3).", "a (4)."]),
  ])
  func numbers(_ name: String, _ expected: [String]) {
    #expect(names(name, .numbered) == expected)
  }

  @Test(arguments: [
    ("report.odt", ["report (copy).odt", "report (copy 2).odt", "report (copy 3).odt"]),
    ("report (copy).odt", ["report (copy 2).odt", "report (copy 3).odt", "report (copy 4).odt"]),
    ("report (copy 9).odt", ["report (copy 10).odt", "report (copy 11).odt", "report (copy 12).odt"]),
    ("(copyright).odt", ["(copyright) (copy).odt", "(copyright) (copy 2).odt", "(copyright) (copy 3).odt"]),
    ("a (copy x)", ["a (copy x) (copy)", "a (copy x) (copy 2)", "a (copy x) (copy 3)"]),
    ("a (copyright)", ["a (copyright) (copy)", "a (copyright) (copy 2)", "a (copyright) (copy 3)"]),
    ("a (2)", ["a (2) (copy)", "a (2) (copy 2)", "a (2) (copy 3)"]),
  ])
  func copies(_ name: String, _ expected: [String]) {
    #expect(names(name, .copy) == expected)
  }

  @Test func aFolderHasNoExtension() {
    #expect(names("Version 1.2", .copy, isFolder: true)[0] == "Version 1.2 (copy)")
  }

  @Test func aWordIsTheUsers() {
    #expect(names("Bericht.odt", .init(word: "Kopie"))[..<2] == ["Bericht (Kopie).odt", "Bericht (Kopie 2).odt"])
    #expect(names("a", .init(word: "x/y\0z"))[0] == "a (x-y-z)")
  }

  @Test func aLongNameIsShortenedAtACharacter() {
    for length in 118...127 {
      let name = names(String(repeating: "ö", count: length) + ".odt", .copy)[2]
      #expect(name.utf8.count <= 255 && name.hasSuffix("ö (copy 3).odt") && !name.contains("\u{fffd}"))
    }
  }

  @Test func bytesThatAreNoTextStay() {
    var series = FileSystemObserver.ItemNaming.numbered.names(
      after: FileName(bytes: [0xff, 0x61, 0x2e, 0x62]), isFolder: false)
    #expect(series.next() == FileName(bytes: [0xff, 0x61] + Array(" (2)".utf8) + [0x2e, 0x62]))
  }
}
