import FileEvents
import FileIdentity
import FileSystemObservation
import LinuxFileSystem
import SystemPackage

/// A directory of a recording.
package final class RecordedDirectory: Sendable {
  let status: FileStatus

  init(_ status: FileStatus) {
    self.status = status
  }
}

/// A file system that answers from a recording.
final class RecordedFileSystem: FileSystem, @unchecked Sendable {
  private let world: RecordedWorld
  /// The directory that was opened last, until it is asked for its key.
  private var opened: RecordedDirectory?
  /// The entry of the listing that is shown to a visitor.
  private var visited: RecordedEntry?

  init(_ world: RecordedWorld) {
    self.world = world
  }

  private func spot(_ name: NameView, _ directory: RecordedDirectory) -> RecordedWorld.Spot {
    RecordedWorld.Spot(folder: directory.status.inode, name: unsafe Array(name.bytes))
  }

  private func isItself(_ name: NameView) -> Bool { unsafe Array(name.bytes) == [UInt8(ascii: ".")] }

  var wallClock: Int64 { world.wallClock }

  func openRoot(at path: FilePath) throws(Errno) -> RecordedDirectory { RecordedDirectory(world.root) }
  func openAncestors(of root: RecordedDirectory) -> [RecordedDirectory] { [] }
  func mountPoints(below root: RecordedDirectory) -> [MountNumber: [FileName]] { [:] }

  func openDirectory(
    _ name: NameView, in directory: RecordedDirectory, for access: OwnedDescriptor.Access
  ) throws(Errno) -> RecordedDirectory {
    let spot = spot(name, directory)
    // The recording of a listing says whether the directory could be opened; there is no record of its own for that.
    guard case .list = access else {
      let directory = RecordedDirectory(try world.open(spot))
      opened = directory
      return directory
    }
    let status = try world.knownDirectory(at: spot)
    try world.prepareListing(status.inode)
    return RecordedDirectory(status)
  }

  func reopenForListing(_ directory: RecordedDirectory) throws(Errno) -> RecordedDirectory {
    try world.prepareListing(directory.status.inode)
    return directory
  }

  func status(of directory: RecordedDirectory) throws(Errno) -> FileStatus {
    var status = directory.status
    // The record of the opening has the key.
    if opened === directory {
      opened = nil
      return status
    }
    if let exists = try world.exists(status.inode) { status.linkCount = exists ? max(1, status.linkCount) : 0 }
    if let modified = try world.modificationTime(of: status.inode) { status.modified = modified }
    return status
  }

  func status(of name: NameView, in directory: RecordedDirectory) throws(Errno) -> FileStatus {
    if isItself(name) { return directory.status }
    return try world.look(at: spot(name, directory)).status
  }

  func fileSystemIdentifier(
    of status: FileStatus, named name: NameView, in directory: RecordedDirectory
  ) -> UInt64 { world.fileSystem(of: status.device) }

  func list(_ directory: RecordedDirectory, _ body: (NameView, ListedKind, UInt64) -> Void) throws(Errno) {}

  func visitEntries(of directory: RecordedDirectory, _ visitor: inout some EntryVisitor) throws(Errno) {
    guard let scan = world.takeScan(directory.status.inode) else { return }
    for line in scan.entries {
      let name = FileName(bytes: line.name ?? [])
      name.withView { show(line, $0, in: directory, to: &visitor) }
    }
    if let failure = scan.failure { throw failure }
  }

  private func show(
    _ line: RecordedLine, _ name: NameView, in directory: RecordedDirectory, to visitor: inout some EntryVisitor
  ) {
    guard let entry = RecordedEntry(line) else {
      guard visitor.wants(name, .unknown) else { return }
      return _ = visitor.visit(name, .failure(.ioError), .none)
    }
    guard visitor.wants(name, ListedKind(entry.status.kind)) else { return }
    visited = entry
    defer { visited = nil }
    world.note(entry, at: spot(name, directory))
    guard visitor.visit(name, .success(entry.status), entry.wasTagged ? .none : entry.tag) != nil else { return }
    visitor.noteTag(of: name, entry.wasTagged ? .written : .failed(.notPermitted, entry.tag))
  }

  func readTag(of name: NameView, in directory: RecordedDirectory) -> TagReading {
    if isItself(name) { return world.rootUUID.map { .uuid($0) } ?? .none }
    return world.knownEntry(at: spot(name, directory))?.tag ?? .unreadable
  }

  func claimTag(
    _ uuid: UUIDBits, for name: NameView, in directory: RecordedDirectory, expecting key: FileKey
  ) throws(Errno) -> TagWriting {
    isItself(name) ? .notWritten : try world.write(uuid, at: spot(name, directory))
  }

  func replaceTag(
    with uuid: UUIDBits, for name: NameView, in directory: RecordedDirectory, expecting key: FileKey
  ) throws(Errno) -> TagWriting { try world.write(uuid, at: spot(name, directory)) }

  func passBarrier(in directory: RecordedDirectory) -> Bool { world.answer("ordered")?["value"] == "1" }

  func probeWriters(of name: NameView, in directory: RecordedDirectory) -> WriterProbe {
    if let visited { return visited.isBeingWritten ? .beingWritten : .nobodyWrites }
    return world.lease(spot(name, directory))
  }

  func inodesInTrash(among questions: [TrashQuestion], root: RecordedDirectory) -> Set<FileKey> { [] }
}

/// A source that answers from a recording, and delivers nothing by itself.
final class RecordedSource: EventSource, @unchecked Sendable {
  typealias Directory = RecordedDirectory

  private let world: RecordedWorld
  private var lastDelivered: UInt64 = 0

  init(_ world: RecordedWorld) {
    self.world = world
  }

  func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno) {}
  func stop() {}
  func deliverPending() {}
  func unmark(_ mark: MarkID, of directory: RecordedDirectory?) {}

  func mark(_ directory: RecordedDirectory, for scope: MarkScope) throws(Errno) -> MarkID {
    try world.mark(directory.status.inode, for: scope)
  }

  func recognize(_ directory: RecordedDirectory) -> MarkID? { world.recognized(directory.status.inode) }

  var delivered: UInt64 {
    if let line = world.answer("delivered") { lastDelivered = line.number("value") }
    return lastDelivered
  }

  func horizon(since moment: MonotonicTime) -> UInt64? {
    guard let line = world.answer("horizon") else { return 0 }
    return line.optional("value")
  }

  /// Whether hints of a directory wait.
  var hasPending: Bool { world.answer("pending")?["value"] == "1" }
}
