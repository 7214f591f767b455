import ArgumentParser
import FileSystemObservation
import SystemPackage

/// `fsobserve doctor DIR`.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what this file system and kernel offer for a folder, and what to do about what is missing.",
    discussion: """
      Nothing is changed. The exit status is 1 where something needs to be done: folders that cannot be listed, files that \
      can have no tag, or limits that are too low.

      EXAMPLES:
        Whether all is well with a folder:
            fsobserve doctor ~/Documents
      """)

  @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), completion: .directory, transform: Parsing.path)
  var directory: FilePath

  @Flag(help: "Include names that begin with a dot.")
  var hidden = false

  @Option(
    help: ArgumentHelp("A page for people (text), or one JSON object (json); default: text.", valueName: "format"),
    completion: AnswerFormat.completion, transform: Parsing.word)
  var format: AnswerFormat = .text

  func run() throws {
    let console = Console()
    let examination = try FileSystemObserver.examine(try directory.absolute(), includesHiddenItems: hidden)
    switch format {
    case .text: try console.write(Array(examination.text.utf8))
    case .json: try console.write(examination.json + [UInt8(ascii: "\n")])
    }
    if examination.needsAttention { throw ExitCode.failure }
  }
}
