import FileSystemObservation
import Foundation
import Testing

/// The files of this package.
private enum Package {
  static let folder = (1...3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  static func lineCount(_ text: String) -> Int {
    text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
  }
}

/// The README says what is so.
///
/// A user who may not look into the sources cannot check that.
@Suite(.ownThreads, .enabled(if: (try? Package.text("README.md")) != nil)) struct ReadmeTests {
  private func readme() throws -> String { try Package.text("README.md") }

  @Test func theExampleIsTheSnippetThatIsBuilt() throws {
    let blocks = try readme().components(separatedBy: "```swift\n").dropFirst()
    let example = try #require(blocks.first?.components(separatedBy: "```").first)
    #expect(blocks.count == 1)
    #expect(example == (try Package.text("Snippets/QuickStart.swift")))
    #expect(Package.lineCount(example) <= 20)
  }

  @Test func itIsShort() throws {
    #expect(Package.lineCount(try readme()) <= 150)
  }

  @Test func itNamesEveryChangeReasonCommandAndOption() throws {
    let readme = try readme()
    for kind in FileSystemChange.Kind.allCases { #expect(readme.contains("`\(kind.rawValue)`"), "\(kind)") }
    for reason in DeletionReason.allCases { #expect(readme.contains("`\(reason.rawValue)`"), "\(reason)") }
    let help = try Tool.run("watch", "--help").output
    let options = help.matches(of: #/\n  (--[a-z-]+)/#).map { String($0.output.1) }.filter { $0 != "--version" }
    #expect(options.count == 24)
    let rows = readme.split(separator: "\n").filter { $0.hasPrefix("| `--") }
    for option in options + ["--null"] { #expect(rows.contains { $0.contains("`\(option)") }, "\(option)") }
    let commands = try Tool.run("--help").output.matches(of: #/\n  ([a-z]+)   /#).map { $0.output.1 }
    #expect(commands.count == 9)
    for command in commands { #expect(readme.contains("\n    fsobserve \(command) "), "\(command)") }
  }

  @Test func theExampleProgramFitsOnAPage() throws {
    #expect(Package.lineCount(try Package.text("Examples/Scan/Scan.swift")) <= 100)
  }
}
