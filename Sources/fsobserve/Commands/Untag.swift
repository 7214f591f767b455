import ArgumentParser
import FileSystemObservation
import SystemPackage

/// `fsobserve untag DIR`.
struct Untag: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove the tags of a folder and of everything in it.",
    discussion: """
      Files that are then scanned again get the same UUID as a new file would. Links are not followed, and nothing but the \
      tag is touched.

      EXAMPLES:
        Leave nothing behind:
            fsobserve untag ~/Documents
      """)

  @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), completion: .directory, transform: Parsing.path)
  var directory: FilePath

  @OptionGroup var answer: AnswerArguments

  func run() throws {
    let console = Console()
    var failures = 0
    let count = try FileSystemIdentity().removeTags(below: directory) { path, error in
      failures += 1
      console.complain("\(path.printable): \(error)")
    }
    switch answer.format {
    case .text: try console.write(Array("tags removed: \(count)\n".utf8))
    case .json:
      var object = JSONObject()
      object.add("removed", count)
      object.add("failed", failures)
      try console.write(object.finished() + [UInt8(ascii: "\n")])
    }
    if failures > 0 { throw ExitCode.failure }
  }
}
