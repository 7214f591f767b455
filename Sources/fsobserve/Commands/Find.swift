import ArgumentParser
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// `fsobserve find UUID DIR`.
struct Find: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print where the file with this UUID is now.",
    discussion: """
      The tags of all files and folders in the folder are read, hidden ones included. Every path with the UUID is printed: \
      hard links, and copies that nothing has scanned yet, make several. Where there is none, the exit status is 1.
      """)

  @Argument(help: ArgumentHelp("The UUID.", valueName: "uuid"), transform: Parsing.uuid)
  var uuid: UUIDBits

  @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), transform: Parsing.path)
  var directory: FilePath

  func run() throws {
    let console = Console()
    let tag = FileTag()
    var count = 0
    var outputFailure: OutputFailure?
    try TreeWalker.walk(directory) { entry in
      guard outputFailure == nil, tag.read(of: entry.name, in: entry.directory.descriptor).uuid == uuid else { return }
      count += 1
      do throws(OutputFailure) {
        try console.write(Array("\(entry.path.printable)\n".utf8))
      } catch {
        outputFailure = error
      }
    } fail: { path, error in
      console.complain("\(path.printable): \(error)")
    }
    if let outputFailure { throw outputFailure }
    if count == 0 { throw CommandFailure("\(directory.printable): nothing in it has the UUID \(uuid)") }
  }
}
