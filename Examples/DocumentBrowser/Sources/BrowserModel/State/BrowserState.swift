public import FileSystemObservation
internal import Foundation
public import ObservationStore
internal import SystemPackage

/// Everything that the app keeps between runs, in one folder: annotations, preferences, and how far it has shown what
/// happened in which folder.
@MainActor public final class BrowserState {
  /// The annotations of all documents.
  public let annotations: Annotations
  /// The preferences.
  ///
  /// Setting them writes them at once; ``problem`` says if that failed.
  public var preferences: Preferences {
    didSet { if preferences != oldValue { keepPreferences() } }
  }
  /// Why something is not kept; `nil` if all is well.
  public private(set) var problem: BrowserStateError?
  /// Called when there is a new problem.
  public var onProblem: ((BrowserStateError) -> Void)?

  private let folder: FilePath?
  private let file: StateFile

  /// The identifier of the app, under which it keeps its state.
  public nonisolated static let applicationID = "io.github.FileSystemObservation.DocumentBrowser"

  /// Opens the state of the app in `$XDG_STATE_HOME`, by default `~/.local/state`.
  ///
  /// A file that is damaged is renamed, never removed, and another is begun. Where nothing can be kept, the state is in
  /// memory, and lost at the end of the app; ``problem`` says why. Blocks on the disk.
  public static func standard() -> BrowserState {
    do {
      let store = try ObservationStore.standard(forApplication: applicationID)
      return opening(store.path.removingLastComponent())
    } catch {
      return inMemory(because: BrowserStateError(message: error.description, advice: "", path: "/"))
    }
  }

  /// Opens the state in a folder, which is made if it is missing; see ``standard()``.
  public static func opening(_ folder: FilePath) -> BrowserState {
    do throws(BrowserStateError) {
      return try BrowserState(in: folder)
    } catch {
      guard error.isOfContents, let aside = try? StatePlace.putAside(error.path) else {
        return inMemory(because: error)
      }
      guard let state = try? BrowserState(in: folder) else { return inMemory(because: error) }
      state.note(
        BrowserStateError(
          message:
            "\(error.path.string) was damaged, and another file was begun: favourites, labels and notes are gone",
          advice: "put the file back from a backup; the damaged one is \(aside.string)", path: error.path))
      return state
    }
  }

  /// Opens the state in a folder, which is made if it is missing, for its owner only.
  ///
  /// Blocks on the disk.
  ///
  /// - Throws: ``BrowserStateError`` if the file cannot be used.
  public convenience init(in folder: FilePath) throws(BrowserStateError) {
    try StatePlace.makeFolder(folder)
    try self.init(StateFile(at: folder.appending(StatePlace.fileName)), folder)
  }

  private init(_ file: StateFile, _ folder: FilePath?) throws(BrowserStateError) {
    self.file = file
    self.folder = folder
    annotations = try Annotations(in: file)
    preferences = Preferences(try file.read { try $0.preferences() })
    try annotations.prune()
  }

  private static func inMemory(because problem: BrowserStateError) -> BrowserState {
    do {
      let state = try BrowserState(StateFile(), nil)
      state.note(problem)
      return state
    } catch {
      fatalError("SQLite cannot be used, not even in memory: \(error)")
    }
  }

  /// Closes the file, after everything is written.
  ///
  /// Nothing is kept after that.
  public func close() {
    noteFailures()
    file.close()
  }
}

// MARK: - Folders

extension BrowserState {
  /// The folders that were opened, the last one first.
  public var folders: [KnownFolder] { (try? file.read { try $0.folders() }) ?? [] }

  /// Notes that a folder is opened, and returns what is known of it.
  ///
  /// Blocks on the disk.
  ///
  /// A folder is known by its UUID, so that it may have been renamed or moved since.
  ///
  /// - Throws: `fileOperationFailed` if there is no folder at the path; ``BrowserStateError``.
  public func open(_ path: FilePath) throws -> KnownFolder {
    let identity = try FileSystemIdentity()
    let place = FolderPlace(uuid: try identity.uuid(ofItemAt: path).uuid, path: path)
    return try file.write { state in
      let folders = try state.folders()
      let known = place.match(among: folders) { try? identity.uuid(ofItemAt: $0).uuid }
      let id = try state.put(place, as: known?.id, at: .now)
      return KnownFolder(
        id: id, uuid: place.uuid, path: path, cursor: known?.cursor, lastSeen: known?.lastSeen)
    }
  }

  /// Where the observer of a folder keeps its tree; `nil` if nothing can be kept.
  public func store(of folder: KnownFolder) -> ObservationStore? {
    self.folder.flatMap { try? ObservationStore(at: $0.appending("folder-\(folder.id).sqlite")) }
  }

  /// Makes the observer of a folder, with its store.
  ///
  /// It follows the folder wherever it is moved.
  public func makeObserver(of folder: KnownFolder) -> FileSystemObserver {
    var configuration = FileSystemObserver.Configuration(directory: folder.path)
    configuration.rootLossPolicy = .follow
    return store(of: folder).map { FileSystemObserver(configuration, store: $0) } ?? FileSystemObserver(configuration)
  }

  /// Has the annotations follow events, and keeps the cursor after them, in one transaction.
  func take(
    _ events: [FileSystemObserver.Event], _ cursor: FileSystemObserver.Cursor?, in folder: KnownFolder, at date: Date
  ) {
    let cursor = cursor.map { FolderCursor(folder: folder.id, cursor: $0, date: date) }
    annotations.apply(events, at: date, from: cursor)
    noteFailures()
  }
}

// MARK: - Problems

extension BrowserState {
  private func keepPreferences() {
    do throws(BrowserStateError) {
      let values = preferences.values
      try file.write { state in
        for (key, value) in values { try state.put(value, forPreference: key) }
      }
    } catch {
      note(error)
    }
  }

  private func noteFailures() {
    if let failure = file.takeFailure() { note(failure) }
  }

  private func note(_ error: BrowserStateError) {
    guard error != problem else { return }
    problem = error
    onProblem?(error)
  }
}
