package import SystemPackage

/// Renames without replacing an item.
package enum ItemRename {
  /// `renameat2(2)` with `RENAME_NOREPLACE`: fails with EEXIST if the new name exists.
  ///
  /// Some file systems (NFS, many of FUSE) lack that call. There a file gets its new name by `linkat(2)` and loses the
  /// old one afterwards, and a folder is renamed after a check of the new name.
  package static func rename(
    _ name: FileName, in directory: DirectoryHandle, to newName: FileName, in newDirectory: DirectoryHandle
  ) throws(Errno) {
    do throws(Errno) {
      try rename(name, in: directory, to: newName, in: newDirectory, replacing: false)
    } catch {
      guard error == .invalidArgument || error == .noFunction || error == .notSupported else { throw error }
      try renameChecked(name, in: directory, to: newName, in: newDirectory)
    }
  }

  /// `renameat2(2)`.
  package static func rename(
    _ name: FileName, in directory: DirectoryHandle, to newName: FileName, in newDirectory: DirectoryHandle,
    replacing: Bool
  ) throws(Errno) {
    try name.withView { (name) throws(Errno) in
      try newName.withView { (newName) throws(Errno) in
        try DirectoryChange.rename(
          name, in: directory.descriptor, to: newName, in: newDirectory.descriptor, replacing: replacing)
      }
    }
  }

  /// For file systems without `RENAME_NOREPLACE`.
  package static func renameChecked(
    _ name: FileName, in directory: DirectoryHandle, to newName: FileName, in newDirectory: DirectoryHandle
  ) throws(Errno) {
    let kind = try name.withView { (name) throws(Errno) in try FileStatus.of(name, in: directory.descriptor).kind }
    if kind != .directory {
      do throws(Errno) {
        return try renameFileByLinking(name, in: directory, to: newName, in: newDirectory)
      } catch {
        // A file system without hard links (vfat, exfat).
        guard error == .notPermitted || error == .notSupported || error == .noFunction else { throw error }
      }
    }
    try requireFree(newName, in: newDirectory)
    try rename(name, in: directory, to: newName, in: newDirectory, replacing: true)
  }

  /// Adds the new name, and removes the old one.
  private static func renameFileByLinking(
    _ name: FileName, in directory: DirectoryHandle, to newName: FileName, in newDirectory: DirectoryHandle
  ) throws(Errno) {
    try name.withView { (name) throws(Errno) in
      try newName.withView { (newName) throws(Errno) in
        try DirectoryChange.link(name, in: directory.descriptor, to: newName, in: newDirectory.descriptor)
        do throws(Errno) {
          try DirectoryChange.unlink(name, in: directory.descriptor)
        } catch {
          try? DirectoryChange.unlink(newName, in: newDirectory.descriptor)
          throw error
        }
      }
    }
  }

  private static func requireFree(_ name: FileName, in directory: DirectoryHandle) throws(Errno) {
    do throws(Errno) {
      _ = try name.withView { (name) throws(Errno) in try FileStatus.of(name, in: directory.descriptor) }
    } catch {
      if error == .noSuchFileOrDirectory { return }
      throw error
    }
    throw .fileExists
  }
}
