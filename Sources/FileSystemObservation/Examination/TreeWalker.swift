import FileIdentity
import LinuxFileSystem
import SystemPackage

/// A file or folder met on a walk, valid only during the call that delivers it.
struct TreeEntry {
  let name: NameView
  let directory: DirectoryHandle
  fileprivate let parent: FilePath

  /// The path, built on access.
  var path: FilePath { parent.appending(name) }
}

/// Walks a folder: the folder itself first, then everything below it, parents before children.
///
/// Symbolic links are not followed, and only folders are opened. A folder that cannot be listed is reported and
/// skipped, also if its mount does not answer; automounts stay as they are.
final class TreeWalker {
  private struct Folder {
    let handle: DirectoryHandle
    let path: FilePath
    /// The folders from the root down to this one; a repeated one is a loop of mounts.
    let ancestors: Set<FileKey>
  }

  private struct Pending {
    let name: FileName
    let folder: Folder
  }

  private let files: GuardedFileSystem
  private let includesHidden: Bool
  private let includesLinks: Bool
  private var pending: [Pending] = []
  private let visit: (TreeEntry) -> Void
  private let fail: (FilePath, Errno) -> Void

  private init(
    _ files: GuardedFileSystem, includesHidden: Bool, includesLinks: Bool, visit: @escaping (TreeEntry) -> Void,
    fail: @escaping (FilePath, Errno) -> Void
  ) {
    self.files = files
    self.includesHidden = includesHidden
    self.includesLinks = includesLinks
    self.visit = visit
    self.fail = fail
  }

  /// Calls `visit` with each file and folder, and `fail` with each folder that could not be listed.
  ///
  /// - Parameters:
  ///   - files: Makes the calls.
  ///   - includesLinks: Whether symbolic links are visited, too.
  static func walk(
    _ root: FilePath, in files: GuardedFileSystem, includesHidden: Bool = true, includesLinks: Bool = false,
    visit: @escaping (TreeEntry) -> Void, fail: @escaping (FilePath, Errno) -> Void
  ) throws(FileSystemObserverError) {
    do throws(Errno) {
      let handle = try files.reopenForListing(files.openRoot(at: root))
      files.noteRoot(handle)
      try TreeWalker(files, includesHidden: includesHidden, includesLinks: includesLinks, visit: visit, fail: fail)
        .walk(from: handle, at: root)
    } catch {
      throw FileSystemObserverError(opening: root, error)
    }
  }

  private func walk(from handle: DirectoryHandle, at path: FilePath) throws(Errno) {
    FileName(".").withView { visit(TreeEntry(name: $0, directory: handle, parent: path)) }
    let key = FileKey(try files.status(of: handle))
    list(Folder(handle: handle, path: path, ancestors: [key]))
    while let next = pending.popLast() { enter(next) }
  }

  private func enter(_ next: Pending) {
    let path = next.folder.path.appending(next.name)
    do throws(Errno) {
      let handle = try next.name.withView { (name) throws(Errno) in
        try files.openDirectory(name, in: next.folder.handle, for: .list)
      }
      let key = FileKey(try files.status(of: handle))
      let (isNew, ancestors) = next.folder.ancestors.inserting(key)
      if isNew { list(Folder(handle: handle, path: path, ancestors: ancestors)) }
    } catch {
      // The folder was removed after the listing, so it is no longer part of the tree.
      if error != .noSuchFileOrDirectory { fail(path, error) }
    }
  }

  private func list(_ folder: Folder) {
    do throws(Errno) {
      try files.list(folder.handle) { name, listedKind, _ in
        guard includesHidden || !name.isHidden, let kind = kind(of: name, listedKind, in: folder) else { return }
        visit(TreeEntry(name: name, directory: folder.handle, parent: folder.path))
        if kind == .directory { pending.append(Pending(name: FileName(name), folder: folder)) }
      }
    } catch {
      fail(folder.path, error)
    }
  }

  /// The kind of the entry if it is to be visited.
  private func kind(of name: NameView, _ listed: ListedKind, in folder: Folder) -> FileKind? {
    let kind: FileKind? =
      switch listed {
      case .file: .file
      case .directory: .directory
      case .symlink: .symlink
      case .special: .special
      case .unknown: try? files.status(of: name, in: folder.handle).kind
      }
    return kind == .special || kind == .symlink && !includesLinks ? nil : kind
  }
}

extension FilePath {
  /// The path of an entry.
  ///
  /// The folder itself is the entry `.`.
  fileprivate func appending(_ name: NameView) -> FilePath {
    let bytes = unsafe Array(name.bytes)
    return bytes == [UInt8(ascii: ".")] ? self : appending(bytes: bytes)
  }

  /// The path of an entry.
  fileprivate func appending(_ name: FileName) -> FilePath { appending(bytes: name.bytes) }
}

extension Set {
  fileprivate func inserting(_ element: Element) -> (isNew: Bool, set: Set) {
    var set = self
    return (set.insert(element).inserted, set)
  }
}
