import ArgumentParser
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// `fsobserve untag DIR`.
struct Untag: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove the tags of a folder and of everything in it.",
    discussion: """
      Files that are then scanned again get the same UUID as a new file would. Links are not followed, and nothing but the \
      tag is touched.
      """)

  @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), transform: Parsing.path)
  var directory: FilePath

  func run() throws {
    let console = Console()
    let tag = FileTag()
    var (removed, failed) = (0, 0)
    try TreeWalker.walk(directory) { entry in
      do throws(Errno) {
        if try tag.remove(from: entry.name, in: entry.directory.descriptor) { removed += 1 }
      } catch {
        // Gone since it was listed, or on a file system that has no attributes at all: nothing to remove.
        if error == .noSuchFileOrDirectory || error == .notSupported { return }
        failed += 1
        console.complain("\(entry.path.printable): \(error)")
      }
    } fail: { path, error in
      failed += 1
      console.complain("\(path.printable): \(error)")
    }
    try console.write(Array("\(removed) tags removed\n".utf8))
    if failed > 0 { throw ExitCode.failure }
  }
}
