import ArgumentParser
import SystemPackage

/// `fsobserve doctor DIR`.
struct Doctor: ParsableCommand {
  /// Text for people, or one JSON object.
  enum Format: String, WordArgument {
    case text, json
  }

  static let configuration = CommandConfiguration(
    abstract: "Tell what this file system and kernel offer for a folder, and what to do about what is missing.",
    discussion: """
      Nothing is changed. The exit status is 1 where something needs to be done: folders that cannot be listed, files that \
      can have no tag, or limits that are too low.
      """)

  @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), completion: .directory, transform: Parsing.path)
  var directory: FilePath

  @Flag(help: "Include names that begin with a dot.")
  var hidden = false

  @Option(
    help: ArgumentHelp("A page for people (text), or one JSON object (json); default: text.", valueName: "format"),
    completion: Format.completion, transform: Parsing.word)
  var format: Format = .text

  func run() throws {
    let console = Console()
    let diagnosis = try Examination.examine(try directory.absolute(), includesHidden: hidden)
    switch format {
    case .text: try console.write(Array(diagnosis.text.utf8))
    case .json: try console.write(diagnosis.json + [UInt8(ascii: "\n")])
    }
    if diagnosis.needsAttention { throw ExitCode.failure }
  }
}
