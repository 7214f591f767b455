import ArgumentParser
import FileSystemObservation
import SystemPackage

/// `fsobserve id PATH…`.
struct ID: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "id",
    abstract: "Print the UUID of each file.",
    discussion: """
      Each line is a UUID and the path: the UUID in the tag, or, where there is no tag, the one by which scan lists the file, \
      computed from device, inode and birth time. A path without a file is reported on standard error, and the exit status is 1. \
      What a symbolic link points at is not looked at.

      EXAMPLES:
        The UUID of each file of a folder:
            fsobserve id ~/Documents/*
        With a tag, for files that have none:
            fsobserve id --create letter.txt
      """)

  @Flag(help: "Write the UUID of each file that has no tag into its tag. A tag that is there stays.")
  var create = false

  @OptionGroup var answer: AnswerArguments

  @Argument(
    help: ArgumentHelp("The files and folders.", valueName: "path"), completion: .file(), transform: Parsing.path)
  var paths: [FilePath]

  func run() throws {
    let console = Console()
    let identity = try FileSystemIdentity()
    var hasFailed = false
    for path in paths {
      switch value(at: path, identity) {
      case .success(let value): try console.write(line(for: value, at: path))
      case .failure(let error):
        console.complain(error.message)
        hasFailed = true
      }
    }
    if hasFailed { throw ExitCode.failure }
  }

  private func value(
    at path: FilePath, _ identity: FileSystemIdentity
  ) -> Result<FileSystemIdentity.Value, FileSystemObserverError> {
    Result { () throws(FileSystemObserverError) in
      create ? try identity.claim(forItemAt: path) : try identity.uuid(ofItemAt: path)
    }
  }

  private func line(for value: FileSystemIdentity.Value, at path: FilePath) -> [UInt8] {
    switch answer.format {
    case .text: return Array("\(value.uuid.text)  \(path.printable)\n".utf8)
    case .json:
      var object = JSONObject()
      object.add("uuid", value.uuid.text)
      object.add("path", path)
      object.add("identity", value.kind.rawValue)
      return object.finished() + [UInt8(ascii: "\n")]
    }
  }
}
