import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Names with one `*`.
struct NameTemplateTests {
  private static func part(_ name: String, _ pattern: String) -> String? {
    let name = FileName(name)
    return NameTemplate(pattern)?.part(of: name.bytes).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("*~", "a~", "a"), ("*~", "~", nil), ("*~", "a", nil), ("#*#", "#a#", "a"), ("#*#", "##", nil),
      ("#*#", "#a", nil),
      (".*.swp", ".a.b.swp", "a.b"), (".*.swp", "a.swp", nil), ("~*", "~a", "a"), ("a*a", "aa", nil),
      ("a*a", "aaa", "a"),
    ] as [(String, String, String?)])
  func whatTheStarStandsForIsFound(_ pattern: String, _ name: String, _ part: String?) {
    #expect(Self.part(name, pattern) == part)
  }

  @Test(arguments: ["", "*", "a", "**", "a*b*", "a/*", "*\0"]) func whatIsNoPatternIsRefused(_ pattern: String) {
    #expect(NameTemplate(pattern) == nil)
  }

  @Test(arguments: ["*~", "#*#", ".*.swp"]) func aNameThatIsMadeIsTakenApart(_ pattern: String) throws {
    let template = try #require(NameTemplate(pattern))
    var name = Array("left over".utf8)
    template.writeName(for: ArraySlice("report.txt".utf8), to: &name)
    #expect(template.part(of: name[...]).map { String(decoding: $0, as: UTF8.self) } == "report.txt")
  }
}
