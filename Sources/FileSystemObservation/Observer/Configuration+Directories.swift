import LinuxFileSystem
import SystemPackage

// Several directories, observed as one tree.

extension FileSystemObserver.Configuration {
  /// Observes several directories, below a directory that has them all.
  mutating func select(_ paths: [FilePath]) {
    let paths = paths.map { $0.lexicallyNormalized() }
    let fits = !directory.isEmpty && paths.allSatisfy { $0.starts(with: directory) }
    if !fits { directory = Self.nearestDirectory(above: paths) }
    selectedDirectories = paths.contains(directory) ? [] : paths
  }

  /// The nearest directory that has all paths, or is one of them; empty if there is none.
  private static func nearestDirectory(above paths: [FilePath]) -> FilePath {
    guard var common = paths.first else { return FilePath() }
    for path in paths {
      while !path.starts(with: common), common.removeLastComponent() {}
    }
    return paths.allSatisfy { $0.starts(with: common) } ? common : FilePath()
  }

  /// The selected directories by their paths below the directory.
  var selectedFolders: SelectedFolders {
    let directory = directory.lexicallyNormalized()
    return SelectedFolders(
      selectedDirectories.compactMap { path in
        var rest = path.lexicallyNormalized()
        return rest.removePrefix(directory) ? Array(rest.bytes) : nil
      })
  }

  /// Checks that no symbolic link leads to a selected directory: it would not be followed.
  ///
  /// - Throws: `invalidArgument`, with the path.
  func checkLinks(_ files: GuardedFileSystem) throws(FileSystemObserverError) {
    for path in selectedDirectories {
      do throws(Errno) {
        _ = try files.openDirectory(withoutLinks: path)
      } catch {
        // What is not there yet is found when it comes.
        guard error == .tooManySymbolicLinkLevels || error == .notDirectory else { continue }
        throw FileSystemObserverError(
          code: .invalidArgument,
          sentence: "\(path) is no directory, or has a symbolic link in it, which is not followed; give the path that "
            + "the link leads to",
          path: path)
      }
    }
  }
}
