#if Store
public import FileSystemObservation
internal import FoundationEssentials
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
      var knowledge = try store.tree().knowledge(of: file)
      if !knowledge.isFileKnown, try wasDeleted(file.id) { knowledge.hasOtherAtPath = true }
      return knowledge
    } catch {
      throw FileBookmarkError(code: .notReadable, message: error.message, path: error.path, advice: error.advice)
    }
  }

  /// Whether an observer has seen the file go.
  private func wasDeleted(_ uuid: UUID) throws(ObservationStoreError) -> Bool {
    try store.history(of: uuid).last { $0.change.item.uuid == uuid }?.change.kind == .deleted
  }
}
#endif
