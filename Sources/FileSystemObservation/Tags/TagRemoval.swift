import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Removes and counts the tags of a tree.
final class TagRemoval {
  private let tag: FileTag
  private let files: GuardedFileSystem
  private let report: (FilePath, Errno) -> Void
  private var failed: Set<FilePath> = []
  /// The number of tags removed.
  private(set) var count = 0

  /// - Parameter report: Called with each path where a tag may remain.
  init(_ tag: FileTag, reportingTo report: @escaping (FilePath, Errno) -> Void) {
    self.tag = tag
    files = .patient(tag)
    self.report = report
  }

  /// Removes the tags of the folder and of everything below it.
  func remove(below directory: FilePath) throws(FileSystemObserverError) {
    defer { files.end() }
    try TreeWalker.walk(directory, in: files, visit: { self.removeTag(of: $0) }, fail: { self.fail($0, $1) })
  }

  private func removeTag(of entry: TreeEntry) {
    // Skip items without a tag, so that read-only media report no error.
    if files.readTag(of: entry.name, in: entry.directory) == .none { return }
    let (tag, name, directory) = (tag, FileName(entry.name), entry.directory)
    do throws(Errno) {
      let isRemoved = try files.guarded(entry.name, in: directory) { () throws(Errno) in
        try name.withView { (name) throws(Errno) in try tag.remove(from: name, in: directory.descriptor) }
      }
      if isRemoved { count += 1 }
    } catch {
      // The item was removed after the listing, or its file system has no attributes.
      if error != .noSuchFileOrDirectory && error != .notSupported { fail(entry.path, error) }
    }
  }

  /// Reports a path once: an unreadable folder fails as an entry and again when it is listed.
  private func fail(_ path: FilePath, _ error: Errno) {
    if failed.insert(path).inserted { report(path, error) }
  }
}
