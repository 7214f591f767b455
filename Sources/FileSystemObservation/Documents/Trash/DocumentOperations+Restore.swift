internal import FileIdentity
internal import FoundationEssentials
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Moves an item from the trash back to where it was, or to another place.
  ///
  /// Missing folders appear in a commit of their own, before that of the item; if the item cannot be moved, they are
  /// removed again.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - destination: Where it is to be; nothing for its original path. Nothing is replaced there.
  ///   - createsIntermediates: Whether missing folders above it are made.
  ///   - control: Follows and cancels the copying between file systems.
  /// - Throws: `fileOperationFailed` with EEXIST if the destination exists, or with another reason. After an error the
  ///   item is in the trash.
  package func restore(
    _ item: FileSystemObserver.TrashedItem, to destination: FilePath? = nil, createsIntermediates: Bool = true,
    control: OperationControl = OperationControl()
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let path = destination ?? item.originalPath
    let task = DocumentTask.restore(item.path, path)
    let source = try DocumentPlace(item.path, for: task)
    return try Self.repeating {
      // Another call that fails removes the folders that it made.
      createsIntermediates && $0.errno == .noSuchFileOrDirectory && (try? source.status()) != nil
    } _: { () throws(FileSystemObserverError) in
      let status = try task.reaching(item.path) { () throws(Errno) in try source.status() }
      let made = try createsIntermediates ? makeFolders(above: path) : nil
      return try restore(item, from: source, status, to: path, in: made, control)
    }
  }

  private func restore(
    _ item: FileSystemObserver.TrashedItem, from source: DocumentPlace, _ status: FileStatus, to path: FilePath,
    in made: OperationOutcome?, _ control: OperationControl
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let task = DocumentTask.restore(item.path, path)
    do throws(FileSystemObserverError) {
      let moving = Moving(
        source: source, path: item.path, status: status, destination: try DocumentPlace(path, for: task), task: task,
        overwrites: false)
      var outcome = try move(moving, to: path, item.uuid.map { UUIDBits($0) }, control)
      if let made { outcome.createdFolders = [made.item] + made.descendants }
      removeInfo(of: item, task)
      if status.kind == .directory { removeSize(of: item) }
      return outcome
    } catch {
      if let made { removeFolders(made, above: path) }
      throw error
    }
  }

  /// Makes the folders above a path that are missing; returns the topmost of them.
  private func makeFolders(above path: FilePath) throws(FileSystemObserverError) -> OperationOutcome? {
    let parent = path.removingLastComponent()
    do throws(FileSystemObserverError) {
      if parent.isEmpty || Self.isThere(parent) { return nil }
      return try createFolder(at: parent, withIntermediates: true)
    } catch {
      // Another call has made it meanwhile.
      if error.errno == .fileExists && Self.isThere(parent) { return nil }
      throw error
    }
  }

  private static func isThere(_ folder: FilePath) -> Bool {
    (try? FileStatus.of(path: folder, followingLink: true)) != nil
  }

  /// Removes folders that were made in vain, as far as they are still empty.
  private func removeFolders(_ made: OperationOutcome, above path: FilePath) {
    let task = DocumentTask.remove(path)
    var places: [DocumentPlace] = []
    var (folder, top) = (path.removingLastComponent(), path)
    for _ in 0...made.descendants.count {
      guard let place = try? DocumentPlace(folder, for: task) else { return }
      places.append(place)
      top = folder
      folder.removeLastComponent()
    }
    try? committing(CommittedItem(target: .removing(top))) { () throws(Errno) in
      for place in places {
        try place.name.withView { (name) throws(Errno) in
          try DirectoryChange.removeDirectory(name, in: place.folder.descriptor)
        }
      }
    }
  }

  private func removeSize(of item: FileSystemObserver.TrashedItem) {
    let trash = item.path.removingLastComponent().removingLastComponent()
    guard let name = item.path.lastComponent,
      let folder = try? OwnedDescriptor.openDirectory(at: trash, for: .search)
    else { return }
    DirectorySizes.update(in: DirectoryHandle(folder)) { $0.remove(FileName(name)) }
  }

  /// The item is back by then: an info file that stays is no failure.
  private func removeInfo(of item: FileSystemObserver.TrashedItem, _ task: DocumentTask) {
    guard let place = try? DocumentPlace(item.infoPath, for: task) else { return }
    _ = try? perform(.removeOriginal, of: task) { () throws(Errno) in
      try place.name.withView { (name) throws(Errno) in
        try DirectoryChange.unlink(name, in: place.folder.descriptor)
      }
    }
    finish(task, in: place.folder)
  }
}

extension DocumentOperations {
  /// The items in the user's trash folders, and the info files that cannot be used.
  package struct TrashContents: Sendable {
    /// The items, whoever trashed them, those that were trashed first at the beginning.
    package var items: [FileSystemObserver.TrashedItem] = []
    /// Why info files, or folders, were passed over.
    package var problems: [FileSystemObserverError] = []
  }

  /// Lists the trash of the home folder, and the trash folders at the tops of some file systems.
  ///
  /// - Parameters:
  ///   - paths: Folders whose file systems are looked at, for instance the observed one.
  ///   - places: Where the trash folders are.
  package func trashedItems(onFileSystemsOf paths: [FilePath], places: TrashPlaces = TrashPlaces()) -> TrashContents {
    var contents = TrashContents()
    var found: [ListedItem] = []
    for trash in places.existing(for: paths) { list(trash, &found, &contents.problems) }
    contents.items = found.sorted { $0.age < $1.age }.map(\.item)
    return contents
  }

  /// An item in the trash, and when its info file was written: the date in that is one of whole seconds.
  private struct ListedItem {
    var item: FileSystemObserver.TrashedItem
    var written: Int64

    /// Of those of one instant, the later ones have the higher numbers in their names.
    var age: (Date, Int64, Int, String) {
      let name = item.path.lastComponent?.string ?? ""
      return (item.deletionDate ?? .distantPast, written, name.utf8.count, name)
    }
  }

  private func list(
    _ trash: TrashFolder, _ items: inout [ListedItem], _ problems: inout [FileSystemObserverError]
  ) {
    var names: [FileName] = []
    do throws(Errno) {
      try DirectoryReader().forEachEntry(of: trash.info.descriptor) { name, _, _ in names.append(FileName(name)) }
    } catch {
      problems.append(.trashInfo(trash.path.appending("info"), "it could not be listed", error))
    }
    let suffix = Array(TrashInfo.suffix.utf8)
    for name in names where name.bytes.count > suffix.count && name.bytes.suffix(suffix.count) == suffix[...] {
      do throws(FileSystemObserverError) {
        let item = try trashedItem(FileName(bytes: name.bytes.dropLast(suffix.count)), name, in: trash)
        let status = name.withView { try? FileStatus.of($0, in: trash.info.descriptor) }
        items.append(ListedItem(item: item, written: status?.modified ?? 0))
      } catch {
        problems.append(error)
      }
    }
  }

  private func trashedItem(
    _ name: FileName, _ infoName: FileName, in trash: TrashFolder
  ) throws(FileSystemObserverError) -> FileSystemObserver.TrashedItem {
    let infoPath = trash.path.appending("info").appending(bytes: infoName.bytes)
    let path = trash.path.appending("files").appending(bytes: name.bytes)
    guard let bytes = SmallFile.bytes(of: infoName, in: trash.info) else {
      throw .trashInfo(infoPath, "it is no regular file, or cannot be read", nil)
    }
    guard let info = TrashInfo(bytes: bytes), let original = trash.originalPath(info.path) else {
      throw .trashInfo(infoPath, "it is malformed", nil)
    }
    let place = DocumentPlace(folder: trash.files, name: name)
    do throws(Errno) {
      let item = existingItem(at: place, try place.status())
      return FileSystemObserver.TrashedItem(
        originalPath: original, path: path, infoPath: infoPath,
        deletionDate: info.deleted.map { Date(timeIntervalSince1970: Double($0.seconds)) },
        uuid: item.uuid.map { UUID($0) })
    } catch {
      throw .trashInfo(infoPath, "its item is missing, or cannot be reached", error)
    }
  }
}

extension FileSystemObserverError {
  fileprivate static func trashInfo(_ path: FilePath, _ reason: String, _ errno: Errno?) -> FileSystemObserverError {
    FileSystemObserverError(
      code: .fileOperationFailed, sentence: "The trash information \(path) was passed over: \(reason).", path: path,
      errno: errno)
  }
}
