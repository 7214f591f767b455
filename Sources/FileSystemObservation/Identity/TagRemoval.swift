import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Takes the tags of a tree away, and counts.
final class TagRemoval {
  private let tag: FileTag
  private let tell: (FilePath, Errno) -> Void
  private var failed: Set<FilePath> = []
  /// How many tags were removed.
  private(set) var count = 0

  /// - Parameter tell: Called with each place where a tag may be left.
  init(_ tag: FileTag, tell: @escaping (FilePath, Errno) -> Void) {
    self.tag = tag
    self.tell = tell
  }

  /// Goes through the folder.
  func remove(below directory: FilePath) throws(FileSystemObserverError) {
    try TreeWalker.walk(directory, visit: { self.removeTag(of: $0) }, fail: { self.fail($0, $1) })
  }

  private func removeTag(of entry: TreeEntry) {
    // Nothing is written where nothing is to be removed: read-only media need not complain.
    if tag.read(of: entry.name, in: entry.directory.descriptor) == .none { return }
    do throws(Errno) {
      if try tag.remove(from: entry.name, in: entry.directory.descriptor) { count += 1 }
    } catch {
      // Gone since it was listed, or on a file system that has no attributes at all.
      if error != .noSuchFileOrDirectory && error != .notSupported { fail(entry.path, error) }
    }
  }

  /// A closed folder fails as an entry and again when it is listed; it is told once.
  private func fail(_ path: FilePath, _ error: Errno) {
    if failed.insert(path).inserted { tell(path, error) }
  }
}
