import FileSystemObservation
import Foundation
import SystemPackage

/// Documents of a folder, and changes of them, without a disk.
struct Stage {
  let folder: FilePath = "/home/me/Documents"

  /// The UUID of a name: the same name has the same UUID.
  func uuid(_ name: String) -> UUID {
    var bytes = Array(name.utf8.prefix(16))
    bytes += Array(repeating: 0, count: 16 - bytes.count)
    return unsafe bytes.withUnsafeBytes { unsafe UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  func item(
    _ path: String, _ uuid: String? = nil, kind: FileSystemItem.Kind = .file, parent: String? = nil
  ) -> FileSystemItem.Snapshot {
    FileSystemItem.Snapshot(
      uuid: self.uuid(uuid ?? path), kind: kind, relativePath: FilePath(path), directory: folder,
      parent: parent.map(self.uuid))
  }

  func change(
    _ event: FileSystemChange.Event, _ path: String, _ uuid: String? = nil, kind: FileSystemItem.Kind = .file,
    parent: String? = nil, by origin: FileSystemChange.Origin = .other
  ) -> FileSystemChange {
    FileSystemChange(event, item(path, uuid, kind: kind, parent: parent), origin: origin)
  }

  func path(_ path: String) -> FilePath { folder.appending(path) }

  func set(_ changes: [FileSystemChange]) -> FileSystemChanges { FileSystemChanges(changes, directory: folder) }
}

extension FileSystemChange.Event {
  static let added = Self.discovered(isCopying: false, isReturned: false)
  static let copying = Self.discovered(isCopying: true, isReturned: false)
  static let returned = Self.discovered(isCopying: false, isReturned: true)
}
