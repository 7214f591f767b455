#if Store
public import FileSystemObservation
internal import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// Makes an observer that keeps its tree and its changes in a store; it does not access the disk until it is started.
  ///
  /// The first start with a store is like one without. A later start compares the tree in the store with the disk, and
  /// announces in one set what has happened meanwhile, with the same events as if the observer had been running. Files
  /// that have not changed cost one statx(2) each. Listeners that begin with `Start.snapshot` begin with the tree in
  /// the store. The scan's reason is `ScanReason.resumed`.
  ///
  /// A store that cannot be used, because it is damaged, of another directory or of a newer version, is renamed, never
  /// removed, and another is begun; a `Diagnostic` with the code `storeUnavailable` says so. If the directory of a store
  /// that was put aside is at the path again, as a stick that was not mounted, its store is used again. The same diagnostic
  /// reports that a store cannot be written for now: observation goes on, and what the store lacks is written later.
  ///
  /// `start()` throws `storeUnavailable` if another observer writes to the store, or if another file is at its path. It
  /// waits for a second for an observer that is ending, in this process or another.
  ///
  /// - Parameters:
  ///   - configuration: What to observe, and how.
  ///   - store: Where to keep it. Each observer needs a store of its own.
  ///   - takesOverStore: Whether the directory goes on with the store of another one that it does not prove to follow:
  ///     because the user says that the documents are there now. What is at a path is the document of that path then,
  ///     unless it has the tag of another. A directory that is empty, or in the former one, or above it, takes nothing
  ///     over. It makes no difference for a directory that goes on anyway, or has a store of its own by now.
  public convenience init(_ configuration: Configuration, store: ObservationStore, takesOverStore: Bool = false) {
    self.init(configuration, keptIn: ObserverStore(path: store.path, isTakenOver: takesOverStore))
  }
}

/// A store as an observer opens it.
private struct ObserverStore: TreeStore {
  let path: FilePath
  let isTakenOver: Bool
  var digesting: (any ContentDigesting)? { SHA256Digests() }

  func open(
    _ fit: (StoredTree) throws -> TreeFit, _ use: (StoredTree) throws -> Void
  ) throws(FileSystemObserverError) -> OpenTreeStore {
    do throws(ObservationStoreError) {
      let (file, tree) = try StoreFile.openWithTree(at: path, fit, use)
      return OpenTreeStore(
        file, tree, problem: file.problem?.diagnostic, former: { StoreFile.former(of: $0, asideOf: file.path) },
        close: { file.close() })
    } catch {
      switch error.code {
      case .inUse, .notAStore, .invalidArgument:
        throw FileSystemObserverError(code: .storeUnavailable, message: error.description, path: path)
      default: return OpenTreeStore(nil, problem: error.diagnostic)
      }
    }
  }
}

extension ObservationStoreError {
  fileprivate var diagnostic: FileSystemObserver.Diagnostic {
    var message = message
    if let asidePath { message += "; it is now \(asidePath.printable), and another was begun" }
    if !advice.isEmpty { message += "; \(advice)" }
    return FileSystemObserver.Diagnostic(code: .storeUnavailable, message: message, path: path)
  }
}
#endif
