import FileIdentity
import FoundationEssentials
import ObservationTestSupport
import SystemPackage

@testable import FileSystemObservation

/// A tree with a bookmarked file.
///
///     home/letter.txt  home/sub/  other/older.txt  elsewhere/
final class BookmarkScene {
  /// What became of a bookmark.
  enum Result: Equatable, CustomStringConvertible {
    case at(String, Set<FileBookmark.Evidence>)
    case ambiguous([String])
    case refused(FileBookmarkError.Code)

    static let notFound = Result.refused(.notFound)

    var description: String {
      switch self {
      case .at(let path, let evidence): "at \(path) by \(evidence.map(\.rawValue).sorted().joined(separator: ", "))"
      case .ambiguous(let paths): "ambiguous: \(paths.joined(separator: ", "))"
      case .refused(let code): "refused: \(code)"
      }
    }
  }

  static let file = "home/letter.txt"

  let test: TestFolder
  let bookmark: FileBookmark
  var folder: Folder { test.watched }

  /// - Parameters:
  ///   - name: What is bookmarked.
  ///   - prepare: Makes more, before the bookmark.
  init(
    of name: String = file, writingTag: Bool = true, tagName: String = "user.fsobserver.uuid",
    prepare: (Folder) throws -> Void = { _ in }
  ) throws {
    test = try TestFolder("bookmark")
    for name in ["home/sub", "other", "elsewhere"] { try test.watched.makeDirectories(name) }
    try test.watched.write("other/older.txt")
    let folder = test.watched
    try Self.make(Self.file, after: "other/older.txt", in: folder) { try folder.write(Self.file, "text") }
    try prepare(test.watched)
    bookmark = try FileBookmark(forFileAt: FilePath(test.watched[name]), writingTag: writingTag, tagName: tagName)
  }

  /// Resolves the bookmark with the folders to search.
  ///
  /// - Parameter usesHandles: Whether the file may be opened by its handle, which only a privileged process can.
  func resolve(in folders: [String] = ["home", "other"], usesHandles: Bool = false) -> Result {
    result(in: folders.map { .folder(FilePath(folder[$0])) }, usesHandles: usesHandles)
  }

  func result(in places: [FileBookmark.Place], usesHandles: Bool = false) -> Result {
    do throws(FileBookmarkError) {
      let resolution = try resolution(in: places, usesHandles: usesHandles)
      return .at(relative(resolution.path), resolution.evidence.subtracting([.handle]))
    } catch {
      return error.code == .ambiguous ? .ambiguous(error.candidates.map(relative)) : .refused(error.code)
    }
  }

  func resolution(
    in places: [FileBookmark.Place], usesHandles: Bool = false
  ) throws(FileBookmarkError) -> FileBookmark.Resolution {
    try BookmarkSearch(bookmark, usesHandles: usesHandles).resolve(in: places)
  }

  func relative(_ path: FilePath) -> String {
    let prefix = test.watched.path + "/"
    return path.string.hasPrefix(prefix) ? String(path.string.dropFirst(prefix.count)) : path.string
  }

  /// Makes a file by a closure until its birth time is later than that of another: the clock of a file system is coarse.
  static func make(_ name: String, after other: String, in folder: Folder, _ body: () throws -> Void) throws {
    let before = try born(at: FilePath(folder[other]))
    repeat {
      try? folder.unlink(name)
      try body()
    } while try born(at: FilePath(folder[name])) == before
  }

  static func born(at path: FilePath) throws -> Int64 { try PathLooker(tagName: tagName).look(at: path).key.born }
}
