import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Copies everything below a folder into a new, hidden folder.
///
/// Symbolic links are copied as such; names that are hard links of one file in the folder are so in the copy. FIFOs,
/// sockets, devices and what is mounted below the folder are left out.
struct TreeCopy: ~Copyable {
  /// Folders with more items are flushed to the disk with their whole file system: that costs less than one by one.
  private static let mostSynchronizedItems = 256

  private var job: CopyJob
  private let source: DirectoryHandle
  private let top: DirectoryHandle
  /// The new folders that are open, the innermost last, with the status of their originals.
  private var folders: [(original: FileStatus, copy: DirectoryHandle)]
  /// Each file with several names: where its copies are in `items`.
  private var linked: [FileKey: [Int]] = [:]
  private(set) var items: [OperationOutcome.Item] = []
  private(set) var leftOut: [FilePath] = []
  /// What was copied.
  private(set) var copied: CopiedFolder

  /// - Parameters:
  ///   - source: The folder, open for listing.
  ///   - top: The new, empty folder.
  init(
    _ job: consuming CopyJob, from source: DirectoryHandle, _ status: FileStatus, to top: DirectoryHandle
  ) {
    self.job = job
    self.source = source
    self.top = top
    copied = CopiedFolder(source)
    folders = [(status, top)]
  }

  /// Copies everything.
  ///
  /// - Parameter known: The UUID of the folder if it has no tag.
  /// - Returns: The new folder.
  mutating func run(uuid known: UUIDBits?) throws(FileSystemObserverError) -> OperationOutcome.Item {
    try count()
    try job.prepareFolder(top, at: nil)
    let task = job.task
    var walk = try task.walking { () throws(FailedItem) in try FolderWalk(source) }
    while let stop = try walk.nextDocument(task) { try copy(stop) }
    let made = try job.finishFolder(from: source, folders[0].original, to: top, uuid: known)
    if !job.synchronizesFiles { try synchronizeFileSystem() }
    try job.finishItem(at: nil)
    return made
  }

  /// Reports the end of the copying, and returns what could not be carried.
  func finish() -> [FileSystemObserver.CarryFailure] { job.finish() }

  private func synchronizeFileSystem() throws(FileSystemObserverError) {
    try job.operations.perform(.synchronizeFile, of: job.task) { () throws(Errno) in
      try top.descriptor.synchronizeFileSystem()
    }
  }

  /// Counts what there is to do.
  private mutating func count() throws(FileSystemObserverError) {
    var (items, bytes): (Int, Int64) = (1, 0)
    var counted: Set<FileKey> = []
    let task = job.task
    var walk = try task.walking { () throws(FailedItem) in try FolderWalk(source) }
    while let stop = try walk.nextDocument(task) {
      try job.checkCancellation(at: stop.path)
      switch stop.visit {
      case .item(let status):
        items += 1
        let isFirstName = status.linkCount == 1 || counted.insert(FileKey(status)).inserted
        bytes += status.kind == .file && isFirstName ? status.size : 0
      case .enters: items += 1
      case .leaves, .mountPoint: break
      }
    }
    job.expect(items: items, bytes: bytes)
    job.synchronizesFiles = items <= Self.mostSynchronizedItems
  }

  private mutating func copy(_ stop: FolderWalk.Stop) throws(FileSystemObserverError) {
    guard let copy = folders.last?.copy else { return }
    switch stop.visit {
    case .item(let status):
      copied.note(status, at: stop.path)
      try copyItem(stop, status, to: copy)
    case .enters(let status, _):
      copied.note(status, at: stop.path)
      folders.append((status, try makeFolder(stop, in: copy)))
    case .leaves(let original):
      let (status, _) = folders.removeLast()
      items.append(try job.finishFolder(from: original, status, to: copy, at: stop.path))
      try job.finishItem(at: stop.path)
    case .mountPoint:
      guard job.purpose == .duplicate else {
        throw job.task.failure(of: .checkItem, .resourceBusy, at: stop.path)
      }
      leftOut.append(stop.path)
    }
  }

  private mutating func makeFolder(
    _ stop: FolderWalk.Stop, in parent: DirectoryHandle
  ) throws(FileSystemObserverError) -> DirectoryHandle {
    let folder = try job.operations.perform(.createFile, of: job.task, at: stop.path) {
      () throws(Errno) -> DirectoryHandle in
      try stop.name.withView { (name) throws(Errno) in
        try DirectoryChange.makeDirectory(name, in: parent.descriptor, permissions: 0o700)
        return try parent.open(name, for: .list)
      }
    }
    try job.prepareFolder(folder, at: stop.path)
    return folder
  }

  private mutating func copyItem(
    _ stop: FolderWalk.Stop, _ status: FileStatus, to folder: DirectoryHandle
  ) throws(FileSystemObserverError) {
    switch status.kind {
    case .file: try copyFile(stop, status, to: folder)
    case .symlink:
      items.append(try job.copyLink(stop, status, to: folder))
    case .special, .directory:
      guard job.purpose == .duplicate else { throw job.task.cannotBeCopied(stop.path) }
      leftOut.append(stop.path)
    }
    try job.finishItem(at: stop.path)
  }

  private mutating func copyFile(
    _ stop: FolderWalk.Stop, _ status: FileStatus, to folder: DirectoryHandle
  ) throws(FileSystemObserverError) {
    if status.linkCount > 1, let names = linked[FileKey(status)] {
      linked[FileKey(status)] = names + [items.count]
      return try link(names, stop, in: folder)
    }
    let task = job.task
    let source = try job.operations.perform(.checkItem, of: task, at: stop.path) { () throws(Errno) in
      try stop.openFile(expecting: status)
    }
    let file = try job.operations.perform(.createFile, of: task, at: stop.path) {
      () throws(Errno) -> OwnedDescriptor in
      try stop.name.withView { (name) throws(Errno) -> OwnedDescriptor in
        try OwnedDescriptor.create(name, in: folder.descriptor, permissions: 0o600)
      }
    }
    let item = try job.copyFile(from: source, status, to: file, at: stop.path)
    if status.linkCount > 1 { linked[FileKey(status)] = [items.count] }
    items.append(item)
  }

  private mutating func link(
    _ names: [Int], _ stop: FolderWalk.Stop, in folder: DirectoryHandle
  ) throws(FileSystemObserverError) {
    guard var item = names.first.map({ items[$0] }) else { return }
    item.status = try job.operations.perform(.createFile, of: job.task, at: stop.path) { () throws(Errno) in
      try stop.name.withView { (name) throws(Errno) in
        try DirectoryChange.link(item.path, below: top.descriptor, to: name, in: folder.descriptor)
        return try FileStatus.of(name, in: folder.descriptor)
      }
    }
    for index in names { items[index].status = item.status }
    item.path = stop.path
    items.append(item)
  }
}

extension FolderWalk {
  /// The next item but for those that an operation is making or removing.
  mutating func nextDocument(_ task: DocumentTask) throws(FileSystemObserverError) -> Stop? {
    while let stop = try task.walking({ () throws(FailedItem) in try next() }) {
      guard stop.name.withView({ TemporaryName.isTemporary($0) }) else { return stop }
      if case .enters = stop.visit { skip() }
    }
    return nil
  }
}

extension FolderWalk.Stop {
  /// Opens a file for reading; fails with EBUSY if another item has the name now.
  func openFile(expecting status: FileStatus) throws(Errno) -> OwnedDescriptor {
    let file = try name.withView { (name) throws(Errno) -> OwnedDescriptor in
      try OwnedDescriptor.open(name, in: folder.descriptor, for: .read)
    }
    let now = try FileStatus.of(file)
    guard now.isUnchanged(since: status) else { throw .resourceBusy }
    return file
  }
}

extension FileStatus {
  /// Whether this is the same inode with the same contents; for a folder, with the same names.
  func isUnchanged(since former: FileStatus) -> Bool {
    isSameItem(as: former) && modified == former.modified && size == former.size
  }
}
