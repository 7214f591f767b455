import FileSystemObservation
import FileTestSupport
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import Testing

/// Git itself is asked what patterns match.
@Suite struct PatternAgreementTests {
  private static let listCount = 400
  private let scratch: ScratchFolder
  private let paths: [[UInt8]]
  private let lists: [[[UInt8]]]

  /// Makes the paths in a repository, and the lists beside it.
  init() throws {
    scratch = try ScratchFolder()
    var generator = PatternGenerator(seed: 20)
    paths = Array(generator.tree().prefix(150))
    lists = (0..<Self.listCount).map { _ in generator.list().filter { !Self.isReadOtherwise($0) } }
    try Command.run("mkdir", scratch.path("tree").string, scratch.path("lists").string, scratch.path("answers").string)
    for path in paths { try make(path) }
    let asked = paths.map { ItemPath($0).bytes + [0] }
    try PlainFiles.write(asked.joined(), to: scratch.path("paths"))
  }

  private func make(_ path: [UInt8]) throws {
    let item = ItemPath(path)
    let place = scratch.path("tree").appending(bytes: item.bytes)
    if item.isDirectory { try PlainFiles.makeFolder(at: place) } else { try PlainFiles.write([], to: place) }
  }

  /// Until its version 2.53, git takes the beginning without wildcards off a pattern and then reads asterisks that
  /// follow as if they began a name; gitignore(5) says otherwise.
  private static func isReadOtherwise(_ pattern: [UInt8]) -> Bool {
    let text = String(decoding: pattern, as: UTF8.self)
    return text.contains("/") && text.contains(/^!?\/?[^*?\[\\]*[^*?\[\\\/!]\*\*/)
  }

  /// Which paths git says are ignored, by the name of each list.
  private func ask(_ lists: [String: [[UInt8]]]) throws -> [String: [Bool]] {
    for (name, patterns) in lists {
      try PlainFiles.write(patterns.map { $0 + "\n".utf8 }.joined(), to: scratch.path("lists/\(name)"))
    }
    try Command.run(
      "sh", "-c",
      """
      unset GIT_DIR GIT_WORK_TREE
      export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null HOME="$0"
      cd "$0/tree" && git init -q && for list in "$0/lists"/*; do
        git -c core.excludesFile="$list" check-ignore --no-index --stdin -z -v -n <../paths >"../answers/${list##*/}"
        test $? -le 1 || exit 2
      done
      """, scratch.path.string)
    let answers = try lists.keys.map { ($0, Self.verdicts(try PlainFiles.read(scratch.path("answers/\($0)")))) }
    return Dictionary(uniqueKeysWithValues: answers)
  }

  /// Each path has four fields: file, line, pattern and itself; the first three are empty where nothing matches.
  private static func verdicts(_ answer: [UInt8]) -> [Bool] {
    let fields = answer.split(separator: 0, omittingEmptySubsequences: false).dropLast()
    return stride(from: 2, to: fields.count, by: 4).map { !fields[$0].isEmpty && fields[$0].first != UInt8(ascii: "!") }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).debugDescription }

  @Test func everyPathIsJudgedAsGitJudgesIt() throws {
    var wellFormed: [String: [[UInt8]]] = [:]
    var compiled: [String: PathPatternList] = [:]
    for (index, list) in lists.enumerated() {
      let patterns = list.filter { (try? PathPattern(bytes: $0)) != nil }
      wellFormed["\(index)"] = patterns
      compiled["\(index)"] = PathPatternList(patterns.compactMap { try? PathPattern(bytes: $0) })
    }
    var matchCount = 0
    for (name, verdicts) in try ask(wellFormed) {
      try #require(verdicts.count == paths.count)
      for (path, isIgnored) in zip(paths, verdicts) {
        if isIgnored { matchCount += 1 }
        let isMatched = try #require(compiled[name]).decides(ItemPath(path))
        let patterns = wellFormed[name, default: []].map(Self.text)
        #expect(isMatched == isIgnored, "\(patterns), \(Self.text(path)): \(isMatched) here, \(isIgnored) in git")
      }
    }
    #expect(matchCount > 5_000)
  }

  @Test func whatIsRefusedMatchesNothingInGit() throws {
    let refused = lists.joined().filter { (try? PathPattern(bytes: $0)) == nil && $0.first != UInt8(ascii: "!") }
    #expect(refused.count > 20)
    for verdicts in try ask(["refused": refused]).values { #expect(verdicts == paths.map { _ in false }) }
  }
}
