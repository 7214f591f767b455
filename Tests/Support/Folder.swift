internal import CTestSystem
import FileSystemObservation
import Glibc
package import SystemPackage

/// A folder in which a test acts.
///
/// Names are relative to it, except those that begin with a slash.
package struct Folder: Sendable, Hashable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// The path of a name in this folder.
  package subscript(name: String) -> String {
    name.hasPrefix("/") ? name : "\(path)/\(name)"
  }

  /// A folder in this one.
  package func folder(_ name: String) -> Folder { Folder(self[name]) }
}

/// Throws the `errno` of a system call that returned -1.
@discardableResult
func check<Result: FixedWidthInteger>(_ result: Result) throws(Errno) -> Result {
  if result == -1 { throw Errno(rawValue: errno) }
  return result
}

// MARK: - Names

extension Folder {
  /// `rename(2)`.
  package func rename(_ old: String, _ new: String) throws(Errno) {
    try check(unsafe Glibc.rename(self[old], self[new]))
  }

  /// `renameat2(2)` with `RENAME_EXCHANGE`.
  package func exchange(_ first: String, _ second: String) throws(Errno) {
    try check(unsafe ctest_exchange(self[first], self[second]))
  }

  /// `link(2)`.
  package func link(_ old: String, _ new: String) throws(Errno) {
    try check(unsafe Glibc.link(self[old], self[new]))
  }

  /// `symlink(2)`.
  package func symlink(_ target: String, _ name: String) throws(Errno) {
    try check(unsafe Glibc.symlink(target, self[name]))
  }

  /// `unlink(2)`.
  package func unlink(_ name: String) throws(Errno) {
    try check(unsafe Glibc.unlink(self[name]))
  }

  /// `mkdir(2)`.
  package func mkdir(_ name: String) throws(Errno) {
    try check(unsafe Glibc.mkdir(self[name], 0o755))
  }

  /// `mkdir -p`.
  package func makeDirectories(_ name: String) throws(Errno) {
    var path = name.hasPrefix("/") ? "/" : ""
    for part in name.split(separator: "/") {
      path += path.isEmpty || path == "/" ? String(part) : "/\(part)"
      try folder(path).makeDirectoryIfMissing()
    }
  }

  /// `rmdir(2)`.
  package func rmdir(_ name: String) throws(Errno) {
    try check(unsafe Glibc.rmdir(self[name]))
  }

  /// `mkfifo(3)`.
  package func makeFIFO(_ name: String) throws(Errno) {
    try check(unsafe mkfifo(self[name], 0o644))
  }

  /// `chmod(2)`.
  package func chmod(_ name: String, _ mode: UInt32) throws(Errno) {
    try check(unsafe Glibc.chmod(self[name], mode_t(mode)))
  }

  /// Makes this folder itself.
  package func makeDirectory() throws(Errno) {
    try check(unsafe Glibc.mkdir(path, 0o755))
  }

  package func makeDirectoryIfMissing() throws(Errno) {
    do {
      try makeDirectory()
    } catch {
      if error != .fileExists { throw error }
    }
  }

  /// Removes this folder with everything in it, as far as possible.
  package func removeTree() {
    for entry in (try? Directory.list(path)) ?? [] {
      if entry.kind == .directory {
        folder(entry.name).removeTree()
      } else {
        _ = unsafe Glibc.unlink(self[entry.name])
      }
    }
    if unsafe Glibc.rmdir(path) == -1 && errno == ENOTEMPTY { removeUnreadable() }
  }

  private func removeUnreadable() {
    _ = unsafe Glibc.chmod(path, 0o700)
    _ = try? Command.run("rm", "-rf", path)
  }
}

// MARK: - Status

extension Folder {
  package func exists(_ name: String) -> Bool { (try? status(name)) != nil }

  package func status(_ name: String) throws(Errno) -> FileInformation {
    try FileInformation(of: self[name])
  }
}

/// What tests need of `lstat(2)`.
package struct FileInformation: Sendable {
  /// Distinguishes an inode from all others that exist at the same moment.
  package struct Inode: Hashable, Sendable {
    var device: UInt64
    var number: UInt64
  }

  package var inode: Inode
  package var size: Int
  package var mode: UInt32
  package var linkCount: Int
  package var owner: UInt32
  /// Time of the last change of content, in nanoseconds.
  package var modified: Int64

  package init(of path: String) throws(Errno) {
    var raw = ctest_status()
    try check(unsafe ctest_lstat(path, &raw))
    inode = Inode(device: raw.device, number: raw.inode)
    size = Int(raw.size)
    mode = raw.mode
    linkCount = Int(raw.link_count)
    owner = raw.owner
    modified = raw.modified
  }
}
