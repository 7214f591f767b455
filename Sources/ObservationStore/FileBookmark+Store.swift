#if Store
public import FileSystemObservation
internal import SystemPackage

extension FileBookmark.Place {
  /// The tree of a store: the file is looked for where the store has it, and then in the folder of the store.
  ///
  /// The store need not be in use, and no observer need run.
  public static func store(_ store: ObservationStore) -> FileBookmark.Place { FileBookmark.Place(StoreSource(store)) }
}

/// A store, as a place for bookmarks.
private struct StoreSource: BookmarkSource {
  private let store: ObservationStore

  init(_ store: ObservationStore) {
    self.store = store
  }

  func knowledge(of file: SoughtFile) throws(FileBookmarkError) -> BookmarkKnowledge {
    do throws(ObservationStoreError) {
      return try store.tree().knowledge(of: file)
    } catch {
      throw FileBookmarkError(code: .notReadable, message: error.message, path: error.path, advice: error.advice)
    }
  }
}
#endif
