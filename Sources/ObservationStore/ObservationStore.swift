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

  /// The tree as it was stored last.
  ///
  /// Reads the file, about 100 bytes for each item of the tree, on the calling thread.
  ///
  /// - Throws: `notFound`, `notReadable`, `notAStore`, `newerVersion`, `corrupt` or `failed`.
  public func snapshot() throws(ObservationStoreError) -> FileSystemSnapshot {
    try tree().snapshot
  }

  /// The changes that were stored after a cursor.
  ///
  /// Reads the file on the calling thread: only the changes, and the tree after a reset or if folders have moved.
  ///
  /// - Throws: The same errors as ``snapshot()``.
  public func changes(
    since cursor: FileSystemObserver.Cursor
  ) throws(ObservationStoreError) -> FileSystemObserver.Catchup {
    let file = try StoreFileReader(at: path)
    switch try readJournal(file, { try $0.changes(since: cursor) }) {
    case .changes(let sets): return .changes(sets)
    case .unknown(let reason): return .reset(try tree(file).snapshot, reason)
    }
  }

  /// The stored changes of an item, oldest first, and those that made copies of it.
  ///
  /// Reads all stored changes on the calling thread. Items that were found by a first scan have no change for that. The
  /// move of a folder is a change of the folder, not of what is in it.
  ///
  /// - Throws: The same errors as ``snapshot()``.
  public func history(of uuid: UUID) throws(ObservationStoreError) -> [FileSystemObserver.HistoryEntry] {
    try readJournal(StoreFileReader(at: path)) { try $0.history(of: uuid) }
      .map(FileSystemObserver.HistoryEntry.init)
  }

  /// Calls a function with the stored changes in order, oldest first.
  ///
  /// Reads some changes at a time, on the calling thread. The function may take its time: nothing is locked meanwhile,
  /// and changes that are stored meanwhile follow.
  ///
  /// - Parameters:
  ///   - cursor: Leaves out the changes up to this cursor.
  ///   - body: Called with each change; if it throws, no further change follows.
  /// - Throws: ``ObservationStoreError`` with `unknownCursor`, `tooOld` or a code of ``snapshot()``, or what the function
  ///   throws.
  public func forEachChange(
    since cursor: FileSystemObserver.Cursor? = nil, _ body: (FileSystemObserver.HistoryEntry) throws -> Void
  ) throws {
    let file = try StoreFileReader(at: path)
    var number: UInt64 = 0
    if let cursor {
      if try !readJournal(file, { $0.knows(cursor) }) { throw unusable(cursor, .resumed) }
      number = cursor.number
    }
    while let page = try readJournal(file, { try $0.page(after: number, atMost: Self.setsAtOnce) }) {
      if let cursor, page.hasGap { throw unusable(cursor, .tooOld) }
      for entry in page.entries { try body(FileSystemObserver.HistoryEntry(entry)) }
      number = page.last
    }
    if let cursor, try readJournal(file, { $0.lastNumber }) > number { throw unusable(cursor, .tooOld) }
  }

  /// The directory whose tree the store has.
  ///
  /// Reads the file on the calling thread.
  ///
  /// - Throws: The same errors as ``snapshot()``.
  public func directory() throws(ObservationStoreError) -> FilePath {
    try readJournal(StoreFileReader(at: path)) { $0.directory }
  }

  private static let setsAtOnce = 256

  private func readJournal<Result>(
    _ file: StoreFileReader, _ body: (StoredJournal) throws -> Result
  ) throws(ObservationStoreError) -> Result {
    let result = try file.read { reading -> Result? in try StoredJournal(reading).map(body) }
    guard let result else { throw ObservationStoreError(.noSuchFileOrDirectory, at: path) }
    return result
  }

  private func unusable(
    _ cursor: FileSystemObserver.Cursor, _ reason: FileSystemObserver.ResetReason
  ) -> ObservationStoreError {
    if reason == .tooOld {
      return ObservationStoreError(
        code: .tooOld, message: "\(path.printable) does not have all changes since \(cursor) any more", path: path,
        advice: "begin with the tree as it is, or with the oldest change")
    }
    return ObservationStoreError(
      code: .unknownCursor, message: "\(path.printable) knows nothing of the cursor \(cursor)", path: path,
      advice: "begin with the tree as it is, or with the oldest change")
  }

  /// The tree as it was stored last.
  func tree() throws(ObservationStoreError) -> StoredTree { try tree(StoreFileReader(at: path)) }

  private func tree(_ file: StoreFileReader) throws(ObservationStoreError) -> StoredTree {
    guard let tree = try file.read({ try StoredTree.load(from: $0) }) else {
      throw ObservationStoreError(.noSuchFileOrDirectory, at: path)
    }
    return tree
  }
}
#endif
