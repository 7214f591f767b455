public import FileSystemObservation
public import Foundation
internal import SystemPackage

/// A folder that the app has opened, with what it knows of it.
public struct KnownFolder: Sendable, Hashable, Identifiable {
  /// The number of the folder in the file of the app; its store is named after it.
  public let id: Int64
  /// The UUID of the folder itself.
  public let uuid: UUID
  /// Where the folder was when it was opened last.
  public let path: FilePath
  /// The cursor of the last set of changes that the app has shown; `nil` if it has shown none.
  public let cursor: FileSystemObserver.Cursor?
  /// When that set was shown.
  public let lastSeen: Date?
}

/// A folder that is about to be opened.
struct FolderPlace: Sendable, Hashable {
  let uuid: UUID
  let path: FilePath
}

/// How far the app has shown what happened in a folder.
struct FolderCursor: Sendable, Hashable {
  let folder: KnownFolder.ID
  let cursor: FileSystemObserver.Cursor
  let date: Date
}

extension FolderPlace {
  /// Which of the folders that were opened before this one is; `nil` if it is none of them.
  ///
  /// The same UUID at the same path is the same folder. So is the same UUID at another path, unless the folder still is
  /// where it was: then this one is a copy of it. The same path alone is not enough, for another folder may be there.
  ///
  /// - Parameter uuidNow: The UUID of the folder that is at a path now; `nil` if there is none.
  func match(among folders: [KnownFolder], uuidNow: (FilePath) -> UUID?) -> KnownFolder? {
    let candidates = folders.filter { $0.uuid == uuid }
    return candidates.first { $0.path == path } ?? candidates.first { uuidNow($0.path) != $0.uuid }
  }
}
