import ArgumentParser
import SystemPackage

/// `fsobserve untag DIR`.
struct Untag: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove the tags of a folder and of everything in it.",
    discussion: """
      Files that are then scanned again get the same UUID as a new file would. Links are not followed, and nothing but the \
      tag is touched.
      """)

  @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), completion: .directory, transform: Parsing.path)
  var directory: FilePath

  func run() throws {
    let console = Console()
    let removal = TagRemoval(console)
    try removal.remove(below: directory)
    try console.write(Array("tags removed: \(removal.count)\n".utf8))
    if removal.isIncomplete { throw ExitCode.failure }
  }
}
