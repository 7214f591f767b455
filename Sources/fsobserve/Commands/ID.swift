import ArgumentParser
import FileIdentity
import LinuxFileSystem
import SystemPackage

/// `fsobserve id PATH…`.
struct ID: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "id",
    abstract: "Print the UUID of each file.",
    discussion: """
      Each line is a UUID and the path: the UUID in the tag, or, where there is no tag, the one by which scan lists the file, \
      computed from device, inode and birth time. A path without a file is told on standard error, and the exit status is 1. \
      What a symbolic link points at is not looked at.
      """)

  @Flag(help: "Write the UUID of each file that has no tag into its tag. A tag that is there stays.")
  var create = false

  @Argument(
    help: ArgumentHelp("The files and folders.", valueName: "path"), completion: .file(), transform: Parsing.path)
  var paths: [FilePath]

  func run() throws {
    let console = Console()
    var hasFailed = false
    for path in paths {
      do {
        try console.write(Array("\(try uuid(of: path))  \(path.printable)\n".utf8))
      } catch let failure as CommandFailure {
        console.complain(failure.message)
        hasFailed = true
      }
    }
    if hasFailed { throw ExitCode.failure }
  }

  private func uuid(of path: FilePath) throws(CommandFailure) -> UUIDBits {
    let file: TaggedFile
    do throws(Errno) {
      file = try TaggedFile(path)
      if create, file.tag == .none, file.isTaggable { try file.claim() }
    } catch {
      throw CommandFailure(path, error)
    }
    guard file.hasIdentity else {
      throw CommandFailure("\(path.printable): only files, folders and symbolic links have a UUID")
    }
    return try uuid(of: file, at: path)
  }

  /// Where a tag is asked for and there is none, it has to be said why.
  private func uuid(of file: TaggedFile, at path: FilePath) throws(CommandFailure) -> UUIDBits {
    switch file.tag {
    case .uuid(let uuid): return uuid
    case .garbage where create:
      throw CommandFailure("\(path.printable): its tag is not a UUID; setfattr -x \(FileTag.defaultName) takes it away")
    case .unreadable where create && file.isTaggable:
      throw CommandFailure("\(path.printable): its tag cannot be read here")
    case .none where create && !file.isTaggable:
      throw CommandFailure("\(path.printable): a symbolic link bears no tag")
    case .none, .garbage, .unreadable: return file.computedUUID
    }
  }
}
