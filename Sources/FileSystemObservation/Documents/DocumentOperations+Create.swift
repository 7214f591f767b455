internal import FileIdentity
internal import LinuxFileSystem
package import SystemPackage

extension DocumentOperations {
  /// Creates a file; it appears complete, with its UUID, in one step.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which must be free.
  ///   - contents: The contents.
  ///   - permissions: The permissions, of which the umask is taken away as by open(2).
  /// - Throws: `fileOperationFailed` with EEXIST if there is something, or with another reason. After an error there is
  ///   no file.
  package func createFile(
    at path: FilePath, contents: some Collection<UInt8>, permissions: UInt32 = 0o666
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let task = DocumentTask.createFile(path)
    let place = try DocumentPlace(path, for: task)
    try place.requireFree(for: task)
    var carrying = Carrying(before: beforeCarrying)
    var temporary = TemporaryName(in: place.folder)
    let file = try perform(.createFile, of: task) { () throws(Errno) in
      try temporary.createFile(permissions: permissions)
    }
    try perform(.writeContents, of: task) { () throws(Errno) in try file.write(contents) }
    let item = try identify(file, as: FilePath(), task, &carrying)
    try perform(.synchronizeFile, of: task) { () throws(Errno) in try file.synchronize() }
    // Close the file before its rename, so that an observer does not see it being written.
    _ = consume file
    var outcome = OperationOutcome(item: item, notCarried: carrying.failures)
    try publish(&temporary, as: place, of: task, &outcome)
    return outcome
  }

  /// Creates a folder; with intermediate folders, all of them appear in one step.
  ///
  /// - Parameters:
  ///   - path: The path of the folder, which must be free.
  ///   - createsIntermediates: Whether missing folders above it are made, too.
  ///   - permissions: The permissions, of which the umask is taken away as by mkdir(2).
  /// - Returns: The topmost folder that was made; those below it are the descendants.
  /// - Throws: `fileOperationFailed` with EEXIST if there is something, or with another reason. After an error there is
  ///   no new folder.
  package func createFolder(
    at path: FilePath, withIntermediates createsIntermediates: Bool = false, permissions: UInt32 = 0o777
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let task = DocumentTask.createFolder(path)
    guard createsIntermediates else { return try createFolder(at: path, with: [], permissions, task) }
    return try Self.repeating {
      // Another call made the topmost folder, or removed the one above it.
      ($0.errno == .fileExists && !Self.exists(path)) || $0.errno == .noSuchFileOrDirectory
    } _: { () throws(FileSystemObserverError) in
      let (top, rest) = try Self.firstMissing(of: path, task)
      return try createFolder(at: top, with: rest, permissions, task)
    }
  }

  private static func exists(_ path: FilePath) -> Bool { (try? FileStatus.of(path: path)) != nil }

  /// Creates a folder, in which there are others, one in the other; all of them appear in one step.
  private func createFolder(
    at top: FilePath, with rest: [FilePath.Component], _ permissions: UInt32, _ task: DocumentTask
  ) throws(FileSystemObserverError) -> OperationOutcome {
    let place = try DocumentPlace(top, for: task)
    try place.requireFree(for: task)
    var carrying = Carrying(before: beforeCarrying)
    var temporary = TemporaryName(in: place.folder)
    var folder = try perform(.createFile, of: task) { () throws(Errno) in
      try temporary.createFolder(permissions: permissions)
    }
    var outcome = OperationOutcome(item: try identify(folder.descriptor, as: FilePath(), task, &carrying))
    var below = FilePath()
    for name in rest {
      let parent = folder
      folder = try makeFolder(name, in: parent, permissions, task)
      // What is made in a folder changes its times.
      if !below.isEmpty { outcome.descendants[outcome.descendants.count - 1].update(from: parent) }
      below.append(name)
      outcome.descendants.append(try identify(folder.descriptor, as: below, task, &carrying))
    }
    try perform(.synchronizeFile, of: task) { () throws(Errno) in try folder.descriptor.synchronize() }
    outcome.notCarried = carrying.failures
    outcome.isLastRequested = true
    try publish(&temporary, as: place, of: task, at: top, &outcome)
    return outcome
  }

  /// The topmost folder of a path that is missing, and the names below it.
  private static func firstMissing(
    of path: FilePath, _ task: DocumentTask
  ) throws(FileSystemObserverError) -> (FilePath, [FilePath.Component]) {
    var (top, rest): (FilePath, [FilePath.Component]) = (path, [])
    while true {
      let parent = top.removingLastComponent()
      guard let component = top.lastComponent, component.kind == .regular, !parent.isEmpty else { return (top, rest) }
      do throws(Errno) {
        _ = try FileStatus.of(path: parent, followingLink: true)
        return (top, rest)
      } catch {
        guard error == .noSuchFileOrDirectory else { throw task.unreachable(parent, error) }
      }
      rest.insert(component, at: 0)
      top = parent
    }
  }

  private func makeFolder(
    _ component: FilePath.Component, in parent: DirectoryHandle, _ permissions: UInt32, _ task: DocumentTask
  ) throws(FileSystemObserverError) -> DirectoryHandle {
    try perform(.createFile, of: task) { () throws(Errno) -> DirectoryHandle in
      try FileName(component).withView { (name) throws(Errno) in
        try DirectoryChange.makeDirectory(name, in: parent.descriptor, permissions: permissions)
        return try parent.open(name, for: .list)
      }
    }
  }

  /// Gives a new item its tag, and keeps its permissions.
  func identify(
    _ file: borrowing OwnedDescriptor, as path: FilePath, _ task: DocumentTask, _ carrying: inout Carrying
  ) throws(FileSystemObserverError) -> OperationOutcome.Item {
    try perform(.writeTag, of: task) { () throws(Errno) in
      let status = try FileStatus.of(file)
      let uuid = try mintedUUID(for: file)
      var isTagged = false
      if writesTags {
        isTagged = try writeTag(uuid, to: file, permissions: status.permissions | 0o700, &carrying)
        try? file.setPermissions(status.permissions)
      }
      return OperationOutcome.Item(path: path, status: try FileStatus.of(file), uuid: uuid, isTagged: isTagged)
    }
  }
}
