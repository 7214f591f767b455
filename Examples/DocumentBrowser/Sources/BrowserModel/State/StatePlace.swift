internal import Foundation
internal import SystemPackage

/// The folder and the names of what the app keeps.
enum StatePlace {
  static let fileName: FilePath.Component = "browser.sqlite"

  /// Makes a folder and those above it that are missing, for their owner only.
  static func makeFolder(_ folder: FilePath) throws(BrowserStateError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder.string, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw BrowserStateError(
        message: "the folder \(folder.string) cannot be made (\(error.localizedDescription))",
        advice: "make the folder above it writable for you", path: folder)
    }
  }

  /// Renames a file and what SQLite has beside it, so that another can take its place; returns the new path.
  static func putAside(_ path: FilePath) throws -> FilePath {
    let files = FileManager.default
    var number = 1
    while files.fileExists(atPath: "\(path.string).unusable-\(number)") { number += 1 }
    for suffix in ["-wal", "-shm", ""] where files.fileExists(atPath: path.string + suffix) {
      try files.moveItem(atPath: path.string + suffix, toPath: "\(path.string).unusable-\(number)\(suffix)")
    }
    return FilePath("\(path.string).unusable-\(number)")
  }
}
