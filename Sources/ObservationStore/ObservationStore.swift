#if Store
public import FileSystemObservation
public import FoundationEssentials
internal import LinuxFileSystem
public import SystemPackage

/// Where an observer remembers the tree between runs: a file of SQLite, written by one observer at a time.
///
/// The value names the place; making one does not access the disk. Any number of programs may read a store, also while
/// an observer writes to it.
///
/// The file and its folder can be read and written by their owner only. It is never needed to find out which file is
/// which, as the tags of the files say that. It may be deleted while nothing observes: then nothing is known of what
/// happened before.
public struct ObservationStore: Sendable, Hashable {
  /// The path of the file.
  public let path: FilePath

  /// Names a store by its path.
  ///
  /// - Parameter path: An absolute path. The file and the folders above it are made when an observer starts with it.
  /// - Throws: `invalidArgument` if the path is relative.
  public init(at path: FilePath) throws(ObservationStoreError) {
    guard path.isAbsolute, path.lastComponent != nil else {
      throw ObservationStoreError(
        code: .invalidArgument, message: "\(path.printable) is not an absolute path of a file", path: path)
    }
    self.path = path.lexicallyNormalized()
  }

  /// Names the store at the usual place of an app: `$XDG_STATE_HOME/IDENTIFIER/observation.sqlite`, where
  /// `XDG_STATE_HOME` is by default `~/.local/state`.
  ///
  /// - Parameter identifier: The identifier of the app, for example `org.example.Notes`: the name of a folder.
  /// - Throws: `invalidArgument` if the identifier cannot be a name.
  public static func standard(
    forApplication identifier: String
  ) throws(ObservationStoreError) -> ObservationStore {
    guard let name = FilePath.Component(identifier), name.kind == .regular else {
      throw ObservationStoreError(
        code: .invalidArgument, message: "\"\(identifier)\" cannot be the name of a folder")
    }
    return try ObservationStore(at: UserEnvironment.state.appending(name).appending("observation.sqlite"))
  }

  // MARK: - Reading

  /// What follows a cursor.
  public enum Catchup: Sendable {
    /// All sets of changes after the cursor, in order.
    case changes([FileSystemChanges])
    /// The changes after the cursor are not known: this is the tree as it was stored last.
    case reset(FileSystemSnapshot, ResetReason)
  }

  /// Why the changes after a cursor are not known.
  @nonexhaustive
  public enum ResetReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The store does not keep changes for that long, or some of them could not be stored.
    case tooOld
    /// The cursor is of another store, or of changes that were not stored before the process ended.
    case unknownCursor
  }

  /// A change in the history of an item.
  public struct HistoryEntry: Sendable, Hashable {
    /// What happened, and what the item was then.
    public let change: FileSystemChange
    /// When it was announced.
    public let date: Date
    /// The cursor after the set of the change.
    public let cursor: FileSystemObserver.Cursor
  }

  /// The tree as it was stored last.
  ///
  /// Reads the file, about 100 bytes for each item of the tree, on the calling thread.
  ///
  /// - Throws: `notFound`, `notReadable`, `notAStore`, `newerVersion`, `corrupt` or `failed`.
  public func snapshot() throws(ObservationStoreError) -> FileSystemSnapshot {
    try tree(StoreFileReader(at: path)).snapshot
  }

  /// The changes that were stored after a cursor.
  ///
  /// Reads the file on the calling thread: only the changes, and the tree after a reset or if folders have moved.
  ///
  /// - Throws: The same errors as ``snapshot()``.
  public func changes(since cursor: FileSystemObserver.Cursor) throws(ObservationStoreError) -> Catchup {
    let file = try StoreFileReader(at: path)
    let found = try file.read { try StoredJournal($0)?.changes(since: cursor) }
    switch found {
    case .changes(let sets): return .changes(sets)
    case .tooOld: return .reset(try tree(file).snapshot, .tooOld)
    case .unknownCursor: return .reset(try tree(file).snapshot, .unknownCursor)
    case nil: throw ObservationStoreError(.noSuchFileOrDirectory, at: path)
    }
  }

  /// The stored changes of an item, oldest first, and those that made copies of it.
  ///
  /// Reads all stored changes on the calling thread. Items that were found by a first scan have no change for that.
  ///
  /// - Throws: The same errors as ``snapshot()``.
  public func history(of uuid: UUID) throws(ObservationStoreError) -> [HistoryEntry] {
    let entries = try StoreFileReader(at: path).read { try StoredJournal($0)?.history(of: uuid) ?? [] }
    return entries.map { entry in
      HistoryEntry(
        change: entry.change, date: Date(timeIntervalSince1970: Double(entry.date) / 1e9), cursor: entry.cursor)
    }
  }

  private func tree(_ file: StoreFileReader) throws(ObservationStoreError) -> StoredTree {
    guard let tree = try file.read({ try StoredTree.load(from: $0) }) else {
      throw ObservationStoreError(.noSuchFileOrDirectory, at: path)
    }
    return tree
  }
}
#endif
