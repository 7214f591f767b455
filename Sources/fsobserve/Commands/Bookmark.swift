import ArgumentParser
import FileSystemObservation
import SystemPackage

/// `fsobserve bookmark FILE…`.
struct Bookmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print a bookmark of each file, by which resolve finds it again.",
    discussion: """
      A bookmark is one line without spaces, to be kept anywhere. It finds the file after renames, moves and saves. A file \
      without a tag gets one, if one can be written there. A path without a file is reported on standard error, and the exit \
      status is 1.

      EXAMPLES:
        Keep where a file is:
            fsobserve bookmark letter.txt > ~/letter.bookmark
      """)

  @Flag(name: .customLong("no-tag"), help: "Write no tags: the bookmark of a file without one ends with its inode.")
  var noTag = false

  @OptionGroup var answer: AnswerArguments

  @Argument(
    help: ArgumentHelp("The files and folders.", valueName: "path"), completion: .file(), transform: Parsing.path)
  var paths: [FilePath]

  func run() throws {
    let console = Console()
    var hasFailed = false
    for path in paths {
      switch bookmark(of: path) {
      case .success(let bookmark): try console.write(line(for: bookmark))
      case .failure(let error):
        console.complain(error.description)
        hasFailed = true
      }
    }
    if hasFailed { throw ExitCode.failure }
  }

  private func bookmark(of path: FilePath) -> Result<FileBookmark, FileBookmarkError> {
    Result { () throws(FileBookmarkError) in try FileBookmark(forFileAt: path, writingTag: !noTag) }
  }

  private func line(for bookmark: FileBookmark) -> [UInt8] {
    switch answer.format {
    case .text: return Array("\(bookmark)\n".utf8)
    case .json:
      var object = JSONObject()
      object.add("bookmark", bookmark.description)
      object.add("uuid", bookmark.uuid)
      object.add("path", bookmark.lastKnownPath)
      object.add("identity", bookmark.identity.rawValue)
      return object.finished() + [UInt8(ascii: "\n")]
    }
  }
}
