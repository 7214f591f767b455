import FileTestSupport
import FoundationEssentials
import SystemPackage
import Testing

/// The examples of the help are real command lines: all of them run.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct HelpTests {
  /// In an order in which each finds what it needs.
  private static let commands = ["scan", "watch", "log", "id", "find", "bookmark", "resolve", "doctor", "untag"]

  /// The examples of a help, each a script of one line or more.
  private func examples(_ arguments: String...) throws -> [String] {
    let help = try Tool.start(arguments + ["--help"]).finish()
    #expect(help.status == 0)
    #expect(help.lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE: ") }, "\(arguments)")
    let lines = help.lines.drop { $0 != "EXAMPLES:" }.dropFirst().prefix { !$0.isEmpty }
    let purposes = lines.split { !$0.hasPrefix("      ") }
    #expect(lines.allSatisfy { $0.hasPrefix("      ") || $0.hasPrefix("  ") && $0.hasSuffix(":") })
    return purposes.map { $0.map { $0.dropFirst(6) }.joined(separator: "\n") }
  }

  /// Runs an example in a home folder; a watch ends at once.
  private func run(_ example: String, in home: ScratchFolder) -> ToolRun {
    let script = """
      export HOME="$0" PATH="$1:$PATH" && cd ~/Documents && set -eo pipefail
      fsobserve() { if [ "$1" = watch ]; then command fsobserve "$@" --timeout 0; else command fsobserve "$@"; fi; }
      \(example)
      """
    return Shell.run(script, home.string, Tool.folder.string)
  }

  @Test func everyExampleRuns() throws {
    let home = try ScratchFolder()
    home.shell("mkdir Documents Downloads Notes && echo Dear > Documents/letter.txt && touch Documents/plan.md")
    var examples = try Self.commands.flatMap { command in
      let examples = try self.examples(command)
      #expect(!examples.isEmpty, "\(command)")
      return examples
    }
    examples += try self.examples()
    #expect(examples.count >= 15)
    for example in examples {
      let end = run(example, in: home)
      // A watch that saw nothing, and a doctor who has found something, say so.
      let expected: Set<Int32> = example.contains("--once") ? [124] : example.contains("doctor") ? [0, 1] : [0]
      #expect(expected.contains(end.status), "\(example): \(end.errors)")
      #expect(end.errors == "", "\(example)")
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man")))
  func theManualPageIsWellFormed() throws {
    let page = (1...3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
      .appending(path: "Documentation/fsobserve.1").path
    // A user who may not look into the sources cannot read it.
    guard FileManager.default.isReadableFile(atPath: page) else { return }
    let run = try ToolProcess(executable: "/usr/bin/man", ["--warnings", "-E", "UTF-8", "-l", page]).finish()
    #expect(run.status == 0)
    #expect(run.errors == "")
    for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES"] {
      #expect(run.output.contains("\n\(section)\n") || run.output.hasPrefix(section), "\(section)")
    }
  }

  @Test func everythingIsInstalledWhereItBelongs() throws {
    let package = (1...3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }.path
    guard FileManager.default.isExecutableFile(atPath: package + "/Scripts/install") else { return }
    let place = try ScratchFolder()
    let install = Shell.run(
      #"DESTDIR="$0" "$1/Scripts/install" --prefix /usr --built "$2""#, place.string, package, Tool.folder.string)
    #expect(install.status == 0, "\(install.errors)")
    let paths = [
      "bin/fsobserve", "share/man/man1/fsobserve.1", "share/bash-completion/completions/fsobserve",
      "share/zsh/site-functions/_fsobserve", "share/fish/vendor_completions.d/fsobserve.fish",
    ]
    #expect(install.lines == paths.map { place["usr/" + $0] })
    #expect(try ToolProcess(executable: place["usr/bin/fsobserve"], ["--version"]).finish().status == 0)
    for path in install.lines { #expect(try !Data(contentsOf: URL(filePath: path)).isEmpty, "\(path)") }
  }
}
