internal import FileSystemObservation
internal import SystemPackage

/// The observer of one folder, shared by all monitors of items in it.
///
/// It observes the items directly in the folder, or also those in the folders there, hidden ones too. It writes no
/// tags: a monitor only looks. It ends with the last monitor.
final class SharedFolder: Sendable {
  private struct Registered: Sendable {
    weak var folder: SharedFolder?
  }

  private struct Key: Hashable, Sendable {
    var path: FilePath
    var depth: Int
  }

  private static let folders = Guarded<[Key: Registered]>([:])

  let observer: FileSystemObserver
  private let listing = FirstListing()

  private init(_ path: FilePath, depth: Int) throws(FileSystemObserverError) {
    var configuration = FileSystemObserver.Configuration(directory: path)
    configuration.depth = depth
    configuration.includesHiddenItems = true
    configuration.tagging = .never
    configuration.rootLossPolicy = .follow
    configuration.warnsWithoutListeners = false
    observer = FileSystemObserver(configuration)
    // Attributes are read with the first listing, so that no change of them is missed.
    observer.observe(self, including: .attributes) { folder, event in folder.listing.note(event) }
    try observer.start()
  }

  deinit {
    observer.stop()
  }

  /// The observer of a folder: a new one, or that of another monitor.
  ///
  /// Blocks until the folder is listed: usually a few milliseconds, at most 7 seconds if the file system does not
  /// answer.
  static func at(_ path: FilePath, depth: Int) throws(FileSystemObserverError) -> SharedFolder {
    let folder = try folders.withLock { (folders) throws(FileSystemObserverError) in
      // An observer follows its folder to another path.
      let key = Key(path: path, depth: depth)
      if let known = folders[key]?.folder, known.observer.isRunning, known.observer.directory == path { return known }
      folders = folders.filter { $0.value.folder != nil }
      let folder = try SharedFolder(path, depth: depth)
      folders[key] = Registered(folder: folder)
      return folder
    }
    folder.listing.wait()
    return folder
  }
}
