import ArgumentParser
import FileSystemObservation
import SystemPackage

#if Store
import ObservationStore
#endif

/// `fsobserve resolve BOOKMARK [DIR…]`.
struct Resolve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print where the file of a bookmark is now.",
    discussion: """
      First the path in the bookmark is looked at, then the store is asked, then the folders are searched, hidden items \
      included. Where nothing proves that a file is the one, or several may be, the exit status is 1. With \
      --format json, isStale says whether to keep the new bookmark, and evidence why it is the file.

      EXAMPLES:
        Find it again, wherever it went:
            fsobserve resolve "$(cat ~/letter.bookmark)" ~/Documents
      """)

  @Argument(
    help: ArgumentHelp("The bookmark, as printed by bookmark.", valueName: "bookmark"), completion: .list([]),
    transform: Parsing.bookmark)
  var bookmark: FileBookmark

  @Argument(
    help: ArgumentHelp("The folders to search.", valueName: "dir"), completion: .directory, transform: Parsing.path)
  var directories: [FilePath] = []

  #if Store
  @Option(
    help: ArgumentHelp("Ask the store in FILE, of scan or watch, and search its folder.", valueName: "file"),
    completion: .file(), transform: Parsing.path)
  var store: FilePath?
  #endif

  @OptionGroup var answer: AnswerArguments

  func run() throws {
    let (bookmark, places) = (bookmark, try places())
    let result = Waiting.result { () async -> Result<FileBookmark.Resolution, FileBookmarkError> in
      do throws(FileBookmarkError) {
        return .success(try await bookmark.resolve(in: places))
      } catch {
        return .failure(error)
      }
    }
    try Console().write(line(for: try result.get()))
  }

  private func places() throws -> [FileBookmark.Place] {
    var places: [FileBookmark.Place] = []
    #if Store
    if let store { places.append(.store(try ObservationStore(at: try store.absolute()))) }
    #endif
    for directory in directories { places.append(.folder(try directory.absolute())) }
    return places
  }

  private func line(for resolution: FileBookmark.Resolution) -> [UInt8] {
    switch answer.format {
    case .text: return Array("\(resolution.path.printable)\n".utf8)
    case .json:
      var object = JSONObject()
      object.add("path", resolution.path)
      object.add("uuid", resolution.bookmark.uuid)
      object.add("isStale", resolution.isStale)
      object.add("evidence", resolution.evidence.map(\.rawValue).sorted())
      object.add("bookmark", resolution.bookmark.description)
      return object.finished() + [UInt8(ascii: "\n")]
    }
  }
}
