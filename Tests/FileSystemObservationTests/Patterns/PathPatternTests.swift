import FileSystemObservation
import Testing

/// Patterns match what gitignore(5) says.
@Suite struct PathPatternTests {
  /// A pattern, and paths that it matches or not; those of directories end with a slash.
  struct Rule: Sendable, CustomTestStringConvertible {
    var patterns: [String]
    var matched: [String]
    var others: [String]
    var testDescription: String { "\(patterns)" }

    init(_ patterns: String..., matches matched: [String], not others: [String] = []) {
      self.patterns = patterns
      self.matched = matched
      self.others = others
    }
  }

  private func check(_ rule: Rule) throws {
    let list = try PathPatternList(rule.patterns)
    for path in rule.matched { #expect(list.decides(ItemPath(path)), "\(rule.patterns) matches \(path)") }
    for path in rule.others { #expect(!list.decides(ItemPath(path)), "\(rule.patterns) does not match \(path)") }
  }

  @Test(arguments: [
    Rule("*.tmp", matches: ["a.tmp", ".tmp", "x/y/a.tmp", "a.tmp/b"], not: ["a.tmp2", "tmp", "a.TMP"]),
    Rule("build", matches: ["build", "x/build", "build/x"], not: ["builds", "abuild"]),
    Rule("/Inbox", matches: ["Inbox", "Inbox/", "Inbox/a"], not: ["x/Inbox", "Inbox2"]),
    Rule("doc/x", matches: ["doc/x", "doc/x/y"], not: ["a/doc/x", "x", "doc"]),
    Rule("build/", matches: ["build/", "x/build/", "build/a"], not: ["build", "x/build"]),
    Rule("/build/", matches: ["build/", "build/a/b"], not: ["x/build/", "build"]),
    Rule("a/b/", matches: ["a/b/", "a/b/c"], not: ["a/b", "x/a/b/"]),
  ])
  func placesAndKinds(_ rule: Rule) throws { try check(rule) }

  @Test(arguments: [
    Rule("**/x", matches: ["x", "a/x", "a/b/x"], not: ["ax", "a/bx"]),
    Rule("x/**", matches: ["x/a", "x/a/b"], not: ["x", "x/", "y/x/a"]),
    Rule("a/**/b", matches: ["a/b", "a/x/b", "a/x/y/b"], not: ["ab", "a/xb", "x/a/b", "a/b2"]),
    Rule("**/a/**/b", matches: ["a/b", "x/a/b", "x/a/y/b"], not: ["b", "xa/b"]),
    Rule("**", matches: ["a", "a/b", ".a"]),
    Rule("a**b", matches: ["ab", "axb", "y/axxb"], not: ["a/b"]),
    Rule("/a**", matches: ["a", "ab", "a/b"], not: ["b/a"]),
    Rule("a**/b", matches: ["a/b", "ax/b"], not: ["a/x/b"]),
    Rule("**\\/b", matches: ["a/b", "a/x/b"], not: ["b", "ab"]),
  ])
  func twoAsterisks(_ rule: Rule) throws { try check(rule) }

  @Test(arguments: [
    Rule("a/*", matches: ["a/b", "a/b/c"], not: ["a", "a/"]),
    Rule("a/*/c", matches: ["a/b/c"], not: ["a/c", "a/b/b/c"]),
    Rule("a*c/d", matches: ["abc/d", "ac/d"], not: ["a/c/d"]),
    Rule("a?c", matches: ["abc", "a?c"], not: ["ac", "a/c", "aéc"]),
    Rule("/a?c", matches: ["abc"], not: ["a/c"]),
    Rule("a[^x]c", matches: ["abc"], not: ["axc", "a/c"]),
    Rule("/a[!x]c", matches: ["abc"], not: ["a/c"]),
    Rule("*a*b*c*", matches: ["abc", "xaxbxcx"], not: ["acb"]),
  ])
  func wildcardsMatchNoSlash(_ rule: Rule) throws { try check(rule) }

  @Test(arguments: [
    Rule("[abc]", matches: ["a", "c"], not: ["d", "ab"]), Rule("[a-c]", matches: ["b"], not: ["-", "d"]),
    Rule("[!a-c]", matches: ["d", "-"], not: ["a"]), Rule("[]]", matches: ["]"]),
    Rule("[!]]", matches: ["a"], not: ["]"]),
    Rule("[a-]", matches: ["a", "-"], not: ["b"]), Rule("[\\]a]", matches: ["]", "a"], not: ["\\"]),
    Rule("[\\a-\\c]", matches: ["b"]), Rule("[[:alpha:]]", matches: ["a", "Z"], not: ["1", "é"]),
    Rule("[[:digit:][:upper:]x]", matches: ["1", "A", "x"], not: ["a"]),
    Rule("[^[:space:]]", matches: ["a"], not: [" "]),
    Rule("[[:punct:]]", matches: ["!", "~", "_"], not: ["a", " "]), Rule("[[:a]", matches: ["[", ":", "a"]),
    Rule("[[:xdigit:]-z]", matches: ["f", "-", "z"], not: ["g"]), Rule("[[-]", matches: ["[", "-"]),
    Rule("[c-a]", matches: ["c"], not: ["a", "b", "-"]),
  ])
  func brackets(_ rule: Rule) throws { try check(rule) }

  @Test(arguments: [
    Rule("\\*", matches: ["*"], not: ["a"]), Rule("\\#a", matches: ["#a"]), Rule("\\!a", matches: ["!a"], not: ["a"]),
    Rule("a#", matches: ["a#"]), Rule("a!b", matches: ["a!b"]), Rule("\\a", matches: ["a"]),
    Rule("a\\\\", matches: ["a\\"]),
    Rule("a  ", matches: ["a"], not: ["a  "]), Rule("a\\ ", matches: ["a "], not: ["a"]),
    Rule("a\\  ", matches: ["a "], not: ["a  "]), Rule("a b", matches: ["a b"]),
    Rule(" a", matches: [" a"], not: ["a"]),
    Rule("a\\\\ ", matches: ["a\\"]), Rule("a/ ", matches: ["a/"], not: ["a"]), Rule("a\r", matches: ["a"]),
  ])
  func escapesAndSpaces(_ rule: Rule) throws { try check(rule) }

  @Test(arguments: [
    Rule("*.log", "!keep.log", matches: ["a.log", "x/b.log"], not: ["keep.log", "x/keep.log"]),
    Rule("!keep.log", "*.log", matches: ["keep.log"]),
    Rule("build/", "!build/keep", matches: ["build/keep", "build/a"]),
    Rule("/*", "!/doc", matches: ["a", "a/doc"], not: ["doc", "doc/a"]),
    Rule("a", "!a/", matches: ["a"], not: ["a/"]),
    Rule("!a", matches: [], not: ["a"]), Rule("*", "!!a", matches: ["a"], not: ["!a"]),
  ])
  func theLastThatMatchesDecides(_ rule: Rule) throws { try check(rule) }

  @Test func namesNeedNotBeUTF8() throws {
    let list = PathPatternList([try PathPattern(bytes: [0x61, 0xff]), try PathPattern("b?")])
    #expect(list.decides(ItemPath([0x61, 0xff])) && !list.decides(ItemPath([0x61, 0xfe])))
    #expect(list.decides(ItemPath([0x62, 0xfe])) && !list.decides(ItemPath([0x62, 0xc3, 0xa9])))
  }

  @Test func patternsAreEqualWhereTheyMatchTheSame() throws {
    #expect(try PathPattern("\\a.txt ") == PathPattern("a.txt") && PathPattern("/a") != PathPattern("a"))
  }
}
