import FileSystemObservation
import Testing

/// What git would silently never match is refused.
@Suite struct PatternMalformationTests {
  @Test(
    arguments: [
      ("", .empty), ("   ", .empty), ("!", .empty), ("/", .empty), ("!/", .empty), ("# a", .comment), ("#", .comment),
      ("a\0b", .nul), ("a\nb", .lineBreak), ("a\\", .trailingBackslash), ("\\", .trailingBackslash),
      ("a\\/", .trailingBackslash), ("[", .unclosedBracket), ("[a", .unclosedBracket), ("[]", .unclosedBracket),
      ("[!]", .unclosedBracket), ("[\\]", .unclosedBracket), ("x[a-", .unclosedBracket),
      ("[[:alpha:", .unclosedBracket),
      ("[/]", .emptyBracket), ("[[:letter:]]", .unknownClass), ("a//b", .emptyName), ("//", .emptyName),
      ("//a", .emptyName), ("a//", .emptyName), ("**//a", .emptyName), ("./a", .dots), ("../a", .dots), (".", .dots),
      ("a/./b", .dots), ("a/..", .dots),
    ] as [(String, PathPattern.Malformation)])
  func whatNeverMatches(_ pattern: String, _ reason: PathPattern.Malformation) {
    #expect(throws: reason) { try PathPattern(pattern) }
    #expect(!reason.explanation.isEmpty)
  }

  @Test func theListSaysWhichPattern() {
    let failure = #expect(throws: PathPatternList.Failure.self) { try PathPatternList(["a", "b\\"]) }
    #expect(failure?.pattern == "b\\" && failure?.reason == .trailingBackslash)
  }

  /// Names of dots alone are no items; others that begin with a dot, or have nothing but wildcards, are.
  @Test(arguments: [".a", "...", "a.", "..a/b", "[.]", "?", "*/", "**/*", "a/**/"]) func whatMayMatch(_ pattern: String)
    throws
  {
    _ = try PathPattern(pattern)
  }
}
