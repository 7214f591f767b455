internal import LinuxFileSystem
internal import SystemPackage

/// Folders that were made for an operation; if it fails, nothing of them is to stay.
struct MadeFolders: Sendable {
  private var places: [DocumentPlace] = []

  /// Opens a folder for listing, which is made if it is missing; only its owner may enter it.
  mutating func open(_ name: FileName, in folder: DirectoryHandle) throws(Errno) -> DirectoryHandle {
    try name.withView { (view) throws(Errno) -> DirectoryHandle in
      do throws(Errno) {
        try DirectoryChange.makeDirectory(view, in: folder.descriptor, permissions: 0o700)
        places.append(DocumentPlace(folder: folder, name: name))
      } catch {
        if error != .fileExists { throw error }
      }
      return try folder.open(view, for: .list)
    }
  }

  /// Removes the folders again, as far as they are empty: another program may use them by now.
  func remove() {
    for place in places.reversed() {
      try? place.name.withView { (name) throws(Errno) in
        try DirectoryChange.removeDirectory(name, in: place.folder.descriptor)
      }
    }
  }
}
