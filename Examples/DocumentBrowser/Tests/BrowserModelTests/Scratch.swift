import FileSystemObservation
import Foundation
import SystemPackage

/// A folder on a disk, which is removed when the test ends.
final class Scratch: Sendable {
  let folder: FilePath

  init() throws {
    let parent = ProcessInfo.processInfo.environment["FSO_TEST_DIR"] ?? "/var/tmp"
    folder = FilePath(parent).appending("browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder.string) }

  func path(_ path: String) -> FilePath { folder.appending(path) }

  func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: self.path(path).string, withIntermediateDirectories: true)
  }

  func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: self.path(path).string))
  }

  func move(_ old: String, _ new: String) throws {
    try FileManager.default.moveItem(atPath: path(old).string, toPath: path(new).string)
  }
}
