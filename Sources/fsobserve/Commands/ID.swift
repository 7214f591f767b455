import ArgumentParser
import FileIdentity
import SystemPackage

/// `fsobserve id PATH…`.
struct ID: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "id",
    abstract: "Print the UUID of each file.",
    discussion: """
      Each line is a UUID and the path. A path without a UUID, or without a file, is told on standard error, and the exit \
      status is 1. What a symbolic link points at is not looked at.
      """)

  @Flag(help: "Give each file that has no UUID one. A UUID that is there stays.")
  var create = false

  @Argument(help: ArgumentHelp("The files and folders.", valueName: "path"), transform: Parsing.path)
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
    let tag: TagReading?
    do throws(Errno) {
      tag = try reading(of: path)
    } catch {
      throw CommandFailure(path, error)
    }
    guard let tag else {
      throw CommandFailure("\(path.printable): only files and folders have a UUID; links, FIFOs and devices have none")
    }
    return try uuid(in: tag, of: path)
  }

  /// What stands in the tag, after it was claimed where that is wanted; none for what cannot bear one.
  private func reading(of path: FilePath) throws(Errno) -> TagReading? {
    let file = try TaggedFile(path)
    guard file.isTaggable else { return nil }
    if create, file.tag == .none { try file.claim() }
    return file.tag
  }

  private func uuid(in tag: TagReading, of path: FilePath) throws(CommandFailure) -> UUIDBits {
    switch tag {
    case .uuid(let uuid): return uuid
    case .none: throw CommandFailure("\(path.printable): has no UUID; --create gives it one")
    case .garbage:
      throw CommandFailure("\(path.printable): its tag is not a UUID; setfattr -x \(FileTag.defaultName) takes it away")
    case .unreadable: throw CommandFailure("\(path.printable): its tag cannot be read here")
    }
  }
}
