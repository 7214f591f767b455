import Foundation
import Glibc
import SystemPackage

/// A folder in which the benchmark works, by plain system calls.
struct Folder: Sendable {
  let path: String

  /// A new folder in another.
  static func makeUnique(in parent: String) throws -> Folder {
    var template = Array("\(parent)/contest.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil, let real = unsafe realpath(template, nil) else {
      throw Errno(rawValue: errno)
    }
    defer { unsafe free(real) }
    return unsafe Folder(path: String(cString: real))
  }

  func appending(_ name: String) -> Folder { Folder(path: self[name]) }

  subscript(name: String) -> String { "\(path)/\(name)" }

  func mkdir(_ name: String) throws(Errno) { try check(unsafe Glibc.mkdir(self[name], 0o755)) }
  func unlink(_ name: String) throws(Errno) { try check(unsafe Glibc.unlink(self[name])) }
  func rename(_ old: String, _ new: String) throws(Errno) { try check(unsafe Glibc.rename(self[old], self[new])) }

  /// Opens, writes and closes a file.
  func write(_ name: String, _ text: String = "content") throws(Errno) {
    let file = unsafe open(self[name], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    try check(file)
    defer { close(file) }
    let bytes = Array(text.utf8)
    try check(unsafe CInt(Glibc.write(file, bytes, bytes.count)))
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  private func check(_ result: CInt) throws(Errno) {
    if result < 0 { throw Errno(rawValue: errno) }
  }
}
