import BrowserModel
import FileSystemObservation
import FoundationEssentials
import SystemPackage

/// What the window does to documents: each is announced by the observer as its own, and can be undone.
final class FileOperations {
  /// The largest number of documents that are treated at once.
  static let limit = 10_000

  private unowned let window: BrowserWindow

  init(_ window: BrowserWindow) {
    self.window = window
  }

  /// Renames a document.
  func rename(_ item: FileSystemItem.Snapshot, to name: String) {
    run("Renaming \(item.name)") { [self] session, _ in
      let renamed = try await rename(item, to: name, session)
      window.undo.push(title: "Rename") { [weak self] in
        try await self?.restoreName(of: renamed.uuid, item.name, session)
      }
      window.toasts.showUndoable("“\(item.name)” is now “\(name)”")
    }
  }

  /// The UUID finds the document where it is by now; of several names, it finds the oldest only.
  private func rename(
    _ item: FileSystemItem.Snapshot, to name: String, _ session: FolderSession
  ) async throws -> FileSystemObserver.Operation {
    if item.isFurtherName { return try await session.observer.renameItem(at: item.path, to: name) }
    return try await session.observer.renameItem(with: item.uuid, to: name)
  }

  private func restoreName(of uuid: UUID, _ name: String, _ session: FolderSession) async throws {
    guard session.observer[uuid] != nil else { return }
    try await session.observer.renameItem(with: uuid, to: name)
    update()
  }

  /// Makes a copy of each document, beside it.
  func duplicate(_ items: [FileSystemItem.Snapshot]) {
    run("Duplicating \(title(items))") { [self] session, control in
      var copies: [UUID] = []
      defer { noteCopies(copies, session) }
      for item in items {
        copies.append(try await session.observer.duplicateItem(at: item.path, control: control).uuid)
      }
    }
  }

  private func noteCopies(_ copies: [UUID], _ session: FolderSession) {
    guard let last = copies.last else { return }
    window.undo.push(title: "Duplicate") {
      let present = copies.filter { session.observer[$0] != nil }
      let batch = await session.observer.trashItems(with: present, allowingHomeTrash: true)
      if let failure = batch.failure { throw failure }
    }
    update()
    window.table.select(last)
    window.toasts.showUndoable(copies.count == 1 ? "Duplicated" : "\(Wording.count(copies.count, "copy")) made")
  }

  /// Moves documents to the trash.
  func trash(_ items: [FileSystemItem.Snapshot]) {
    let index = window.table.firstIndex(of: items)
    run("Moving \(title(items)) to the trash") { [self] session, control in
      let (completed, failure) = await trash(items, session, control)
      noteTrashed(completed.compactMap(\.trashedItem), title(items), from: index, session)
      if let failure { throw failure }
    }
  }

  private func trash(
    _ items: [FileSystemItem.Snapshot], _ session: FolderSession, _ control: FileSystemObserver.OperationControl
  ) async -> ([FileSystemObserver.Operation], FileSystemObserverError?) {
    if items.contains(where: \.isFurtherName) {
      let paths = items.map(\.path)
      let batch = await session.observer.trashItems(at: paths, allowingHomeTrash: true, control: control)
      return (batch.completed, batch.failure)
    }
    let uuids = items.map(\.uuid)
    let batch = await session.observer.trashItems(with: uuids, allowingHomeTrash: true, control: control)
    return (batch.completed, batch.failure)
  }

  private func noteTrashed(
    _ trashed: [FileSystemObserver.TrashedItem], _ title: String, from index: Int?, _ session: FolderSession
  ) {
    if trashed.isEmpty { return }
    update()
    if let index { window.table.select(near: index) }
    window.undo.push(title: "Move to Trash") { [weak self] in
      var last: UUID?
      for item in trashed.reversed() { last = try await session.observer.restoreItem(item).uuid }
      self?.update()
      if let last { self?.window.table.select(last) }
    }
    window.toasts.showUndoable("\(title) moved to the trash")
  }

  /// Makes a folder.
  func makeFolder(named name: String, in folder: FilePath) {
    run("Making \(name)") { [self] session, _ in
      let made = try await session.observer.createDirectory(at: folder.appending(name))
      window.undo.push(title: "New Folder") {
        guard session.observer[made.uuid] != nil else { return }
        try await session.observer.trashItem(with: made.uuid, allowingHomeTrash: true)
      }
      update()
      window.table.select(made.uuid)
    }
  }

  /// Moves items into a folder, or copies those that are not in the open folder.
  func put(_ paths: [FilePath], into folder: FileSystemItem.Snapshot) {
    run("Moving to \(folder.name)") { [self] session, control in
      var moves: [(uuid: UUID, from: FilePath)] = []
      defer { noteMoves(moves, into: folder, session) }
      for path in paths where path != folder.path && path.removingLastComponent() != folder.path {
        guard let name = path.lastComponent else { continue }
        let destination = folder.path.appending(name)
        if let item = session.observer[path] {
          try await session.observer.moveItem(at: path, to: destination, control: control)
          moves.append((item.uuid, path))
        } else {
          try await session.observer.duplicateItem(at: path, to: destination, naming: .numbered, control: control)
        }
      }
    }
  }

  private func noteMoves(
    _ moves: [(uuid: UUID, from: FilePath)], into folder: FileSystemItem.Snapshot, _ session: FolderSession
  ) {
    if moves.isEmpty { return }
    window.undo.push(title: "Move") {
      for move in moves.reversed() where session.observer[move.uuid] != nil {
        try await session.observer.moveItem(with: move.uuid, to: move.from)
      }
    }
    let what = moves.count == 1 ? "“\(moves[0].from.lastComponent?.string ?? "")”" : Wording.count(moves.count, "item")
    window.toasts.showUndoable("\(what) moved to “\(folder.name)”")
  }

  // MARK: - Running

  private func run(
    _ text: String, _ body: @escaping (FolderSession, FileSystemObserver.OperationControl) async throws -> Void
  ) {
    guard let session = window.session else { return }
    window.operationBar.perform(text) { [self] control in
      do { try await body(session, control) } catch { window.toasts.show(error) }
      update()
    }
  }

  /// The rows are up to date in the same turn of the loop: an operation is announced when it returns.
  private func update() { window.table.list?.update() }

  private func title(_ items: [FileSystemItem.Snapshot]) -> String {
    guard let item = items.first, items.count == 1 else { return Wording.count(items.count, "item") }
    return "“\(item.name)”"
  }
}
