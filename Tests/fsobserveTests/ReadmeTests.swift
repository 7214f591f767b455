import FileSystemObservation
import Foundation
import Testing

/// The files of this package.
private enum Package {
  static let folder = (1...3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  /// The pages for users and developers, and the guides.
  static func pages() throws -> [URL] {
    let places =
      try [".", "Documentation", "Documentation/Performance"]
      + FileManager.default
      .subpathsOfDirectory(atPath: folder.appending(path: "Sources").path)
      .filter { $0.hasSuffix(".docc") || $0.hasSuffix(".docc/Guides") }.map { "Sources/" + $0 }
    return try places.flatMap { place in
      try FileManager.default.contentsOfDirectory(at: folder.appending(path: place), includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "md" }
    }
  }

  /// What a link to a heading of a page ends in, where it is shown as Markdown.
  static func anchors(of text: String) -> Set<String> {
    let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }
    return Set(
      headings.map { heading in
        String(
          heading.drop { $0 == "#" || $0 == " " }.lowercased().filter {
            $0.isLetter || $0.isNumber || " -_".contains($0)
          }
        )
        .replacing(" ", with: "-")
      })
  }

  static func lineCount(_ text: String) -> Int {
    text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
  }
}

/// The README, and the pages that it leads to, say what is so.
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
    #expect(Package.lineCount(try readme()) <= 120)
  }

  @Test(arguments: ["README.md", "Documentation/Announcements.md"]) func everyChangeAndReasonIsNamed(_ page: String)
    throws
  {
    let text = try Package.text(page)
    for kind in FileSystemChange.Kind.allCases { #expect(text.contains("`\(kind.rawValue)`"), "\(kind)") }
    for reason in DeletionReason.allCases { #expect(text.contains("`\(reason.rawValue)`"), "\(reason)") }
  }

  @Test(arguments: ["README.md", "Documentation/CommandLine.md"]) func everyCommandIsNamed(_ page: String) throws {
    let text = try Package.text(page)
    let commands = try Tool.run("--help").output.matches(of: #/\n  ([a-z]+)   /#).map { $0.output.1 }
    #expect(commands.count == 9)
    for command in commands { #expect(text.contains("\n    fsobserve \(command) "), "\(command)") }
  }

  @Test func everyOptionIsNamed() throws {
    let help = try Tool.run("watch", "--help").output
    let options = help.matches(of: #/\n  (--[a-z-]+)/#).map { String($0.output.1) }.filter { $0 != "--version" }
    #expect(options.count == 25)
    let rows = try Package.text("Documentation/CommandLine.md").split(separator: "\n").filter { $0.hasPrefix("| `--") }
    for option in options + ["--null"] { #expect(rows.contains { $0.hasPrefix("| `\(option)") }, "\(option)") }
  }

  @Test func everyLinkLeadsToAFileAndAHeading() throws {
    var count = 0
    for page in try Package.pages() {
      let text = try String(contentsOf: page, encoding: .utf8)
      for link in text.matches(of: #/\]\(([^)#:\s]*)(?:#([^)]*))?\)/#) {
        let target = link.output.1.isEmpty ? page : page.deletingLastPathComponent().appending(path: link.output.1)
        #expect(
          FileManager.default.fileExists(atPath: target.standardized.path),
          "\(page.lastPathComponent): \(link.output.0)")
        count += 1
        guard let heading = link.output.2, let text = try? String(contentsOf: target, encoding: .utf8) else { continue }
        #expect(Package.anchors(of: text).contains(String(heading)), "\(page.lastPathComponent): \(link.output.0)")
      }
    }
    #expect(count > 100)
  }

  @Test(arguments: [("Scan", 100), ("LinkKeeper", 120), ("PhotoInbox", 120)])
  func anExampleFitsOnAPage(_ name: String, _ limit: Int) throws {
    #expect(Package.lineCount(try Package.text("Examples/\(name)/\(name).swift")) <= limit)
  }
}
