import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Looks for the file of a bookmark: where it was, where trees have it, by its handle, and then in folders.
///
/// Each step comes only if those before have found nothing that is certain.
final class BookmarkSearch {
  private let bookmark: FileBookmark
  private let usesHandles: Bool
  private let isCancelled: () -> Bool
  private let looker: PathLooker
  private var looks: [FilePath: FileLook] = [:]
  private var trees: [BookmarkKnowledge] = []
  private var folders: [FilePath] = []
  private var unread: [FilePath] = []
  private var fate = BookmarkVerdict.Fate.unknown
  private var isLastPlaceSearched = false
  /// The real path of the folder of the last known path.
  private let folderOfLastPath: FilePath?
  /// Why the last known path could not be looked at, if that is not because nothing is there.
  private var failure: FileBookmarkError?
  /// Why a place could not be asked.
  private var placeFailure: FileBookmarkError?

  /// - Parameter usesHandles: Whether to use a capability that only privileged processes have.
  init(_ bookmark: FileBookmark, usesHandles: Bool = true, isCancelled: @escaping () -> Bool = { false }) {
    self.bookmark = bookmark
    self.usesHandles = usesHandles
    self.isCancelled = isCancelled
    looker = PathLooker(tagName: bookmark.tagName)
    folderOfLastPath = looker.realPath(ofDirectory: bookmark.lastKnownPath.removingLastComponent())
  }

  func resolve(in places: [FileBookmark.Place]) throws(FileBookmarkError) -> FileBookmark.Resolution {
    lookAtLastPath()
    if let found = try resolution(verdict.certain) { return found }
    ask(places)
    if let found = try resolution(verdict.certain) { return found }
    if usesHandles { lookByHandle() }
    if let found = try resolution(verdict.settled) { return found }
    try searchFolders()
    if let found = try resolution(verdict.decide()) { return found }
    throw failure ?? placeFailure ?? notFound
  }
}

extension BookmarkSearch {
  private var notFound: FileBookmarkError {
    .notFound(
      bookmark.lastKnownPath, isOther: looks[bookmark.lastKnownPath] != nil, isElsewhere: fate == .exists,
      unread: unread, searched: folders.count)
  }
}

// MARK: - Steps

extension BookmarkSearch {
  private func lookAtLastPath() {
    do throws(Errno) {
      looks[bookmark.lastKnownPath] = try looker.look(at: bookmark.lastKnownPath)
    } catch {
      if error != .noSuchFileOrDirectory && error != .notDirectory {
        failure = FileBookmarkError(error, at: bookmark.lastKnownPath)
      }
    }
  }

  /// Looks at what may be the file; what cannot be looked at is noted.
  private func look(at path: FilePath) {
    let path = spelled(path)
    guard looks[path] == nil else { return }
    do throws(Errno) {
      looks[path] = try looker.look(at: path)
    } catch {
      if error != .noSuchFileOrDirectory && error != .notDirectory { unread.append(path) }
    }
  }

  /// The path of a sibling of the last known path in the same spelling, whichever symbolic links lead to the folder.
  private func spelled(_ path: FilePath) -> FilePath {
    guard let name = path.lastComponent, let folder = folderOfLastPath,
      looker.realPath(ofDirectory: path.removingLastComponent()) == folder
    else { return path }
    return bookmark.lastKnownPath.removingLastComponent().appending(name)
  }

  private func ask(_ places: [FileBookmark.Place]) {
    let sought = SoughtFile(
      uuid: UUIDBits(bookmark.uuid), isTagged: bookmark.identity == .tag, traits: bookmark.traits,
      path: bookmark.lastKnownPath)
    for place in places {
      switch place.kind {
      case .folder(let folder): folders.append(folder)
      case .source(let source):
        do throws(FileBookmarkError) {
          take(try source.knowledge(of: sought))
        } catch {
          placeFailure = placeFailure ?? error
        }
      }
    }
  }

  private func take(_ tree: BookmarkKnowledge) {
    var tree = tree
    if let file = tree.file {
      look(at: file.path)
      tree.file?.path = spelled(file.path)
    }
    trees.append(tree)
    // An observer that knows nothing of the file has seen everything; one that is mistaken is a moment behind.
    if !tree.isPresent || tree.file != nil { folders.append(tree.directory) }
  }

  private func lookByHandle() {
    switch HandleSearch(looker).find(bookmark, beginningAt: folders) {
    case .unknown: break
    case .gone: fate = .gone
    case .existsSomewhere: fate = .exists
    case .exists(var look):
      fate = .exists
      look.path = spelled(look.path)
      if looks[look.path] == nil { looks[look.path] = look }
    }
  }

  private func searchFolders() throws(FileBookmarkError) {
    var searched: [FilePath] = []
    for folder in distinctFolders {
      if try search(folder) { searched.append(folder) }
      if verdict.settled != nil { return }
    }
    isLastPlaceSearched = unread.isEmpty && searched.contains(where: hasLastPlace)
  }

  /// Looks at everything in a folder that may be the file; whether the folder could be searched.
  private func search(_ folder: FilePath) throws(FileBookmarkError) -> Bool {
    let result: FolderSearch.Result
    do throws(Errno) {
      result = try FolderSearch(bookmark, isCancelled: isCancelled).search(folder)
    } catch {
      unread.append(folder)
      return false
    }
    if result.isCancelled { throw .cancelled }
    unread += result.unread
    for path in result.found { look(at: path) }
    return true
  }

  /// The folders by their absolute paths, without those inside others.
  private var distinctFolders: [FilePath] {
    let absolute = folders.map { $0.isAbsolute ? $0.lexicallyNormalized() : looker.realPath(ofDirectory: $0) ?? $0 }
    var distinct: [FilePath] = []
    for folder in absolute.sorted(by: { $0.length < $1.length }) where !distinct.contains(where: folder.starts(with:)) {
      distinct.append(folder)
    }
    return distinct
  }

  /// Whether the last place of the file is in a folder, whichever symbolic links lead there.
  private func hasLastPlace(_ folder: FilePath) -> Bool {
    guard let place = looker.realPath(ofDirectory: lastPlace.removingLastComponent()),
      let folder = looker.realPath(ofDirectory: folder)
    else { return false }
    return place.starts(with: folder)
  }
}

// MARK: - Deciding

extension BookmarkSearch {
  /// Where the file was last: a tree knows better than the bookmark.
  private var lastPlace: FilePath { trees.lazy.compactMap(\.file?.path).first { _ in true } ?? bookmark.lastKnownPath }

  private var verdict: BookmarkVerdict {
    var verdict = BookmarkVerdict(bookmark, lastPlace: lastPlace, looks.values.map(candidate))
    verdict.fate = fate
    verdict.isLastPlaceSearched = isLastPlaceSearched
    verdict.hasOtherAtLastPlace = lastPlace == bookmark.lastKnownPath && trees.contains(where: \.hasOtherAtPath)
    return verdict
  }

  private func candidate(_ look: FileLook) -> BookmarkVerdict.Candidate {
    let trees = trees.filter { tree in tree.file.map { $0.path == look.path || $0.isInode(look) } ?? false }
    return BookmarkVerdict.Candidate(
      look: look, isInode: bookmark.traits.match(look, isInPlace: look.path == bookmark.lastKnownPath),
      isTreeInode: trees.contains { $0.file?.isInode(look) ?? false }, isJournaled: !trees.isEmpty,
      isObserved: trees.contains { $0.isPresent && $0.file?.isInode(look) ?? false },
      isObservedPlace: trees.contains { $0.isPresent && $0.file?.path == look.path })
  }

  private func resolution(_ outcome: BookmarkVerdict.Outcome?) throws(FileBookmarkError) -> FileBookmark.Resolution? {
    if isCancelled() { throw .cancelled }
    switch outcome {
    case nil, .some(.none): return nil
    case .ambiguous(let paths): throw failure ?? .ambiguous(bookmark.lastKnownPath, paths)
    case .file(let candidate, let evidence):
      // The original may be where nobody can look.
      if let failure, evidence.isDisjoint(with: [.inode, .journal]) { throw failure }
      return resolution(candidate.look, evidence)
    }
  }

  private func resolution(_ look: FileLook, _ evidence: Set<FileBookmark.Evidence>) -> FileBookmark.Resolution {
    // A file without a tag, which has one by now, is known by that.
    let wasTagged = bookmark.identity == .tag
    let heir = trees.lazy.compactMap(\.heir).first { _ in true }
    let known = heir ?? (wasTagged ? UUIDBits(bookmark.uuid) : look.tag.uuid ?? UUIDBits(bookmark.uuid))
    let renewed = FileBookmark(look, knownAs: known, wasTagged: wasTagged, tagName: bookmark.tagName)
    return FileBookmark.Resolution(path: look.path, isStale: renewed != bookmark, evidence: evidence, bookmark: renewed)
  }
}

extension BookmarkKnowledge.File {
  /// Whether the tree has recorded this inode; certain only with a birth time.
  fileprivate func isInode(_ look: FileLook) -> Bool {
    inode == look.status.inode && born == look.key.born && look.key.hasBirthTime
  }
}
