package import FileIdentity
package import LinuxFileSystem
package import SystemPackage

import struct Synchronization.Atomic

/// The file system of the machine.
package final class HostFileSystem: FileSystem {
  let tag: FileTag
  private let probers = Mutex<[SendableProber]>([])
  private let identifiers = Mutex<[UInt64: UInt64]>([:])
  /// A device on which `XATTR_CREATE` is reliable, nearly always that of the next file, too.
  private let creating = Atomic(UInt64.max)
  /// A device on which each change has a time of its own.
  let timing = Atomic(UInt64.max)
  private let devices = KnownDevices()
  let overlays: OverlayFiles
  /// The mount of the observed directory.
  private let rootMount = Mutex<MountNumber?>(nil)
  let trash = TrashFolders()

  /// - Parameters:
  ///   - tag: The attribute that has the UUID.
  ///   - sparesLower: Whether files that are only in a lower layer of an overlay stay untagged.
  package init(tag: FileTag, sparesLower: Bool = true) {
    self.tag = tag
    overlays = OverlayFiles(sparesLower: sparesLower)
  }

  package func path(of directory: DirectoryHandle) -> FilePath? { FilePath.ofOpen(directory.descriptor) }

  /// Follows links: the path comes from the app.
  package func openRoot(at path: FilePath) throws(Errno) -> DirectoryHandle {
    DirectoryHandle(try OwnedDescriptor.openDirectory(at: path, for: .search))
  }

  package func openDirectory(withoutLinks path: FilePath) throws(Errno) -> DirectoryHandle {
    var directory = try openRoot(at: "/")
    for component in path.components {
      directory = try FileName(component).withView { (name) throws(Errno) in try directory.open(name, for: .search) }
    }
    return directory
  }

  package func noteRoot(_ root: DirectoryHandle) {
    let mount = MountNumber.of(root.descriptor)
    rootMount.withLock { $0 = mount }
  }

  package func mayStayOpen(_ directory: DirectoryHandle) -> Bool {
    guard let own = rootMount.withLock({ $0 }) else { return true }
    return MountNumber.of(directory.descriptor) == own
  }

  package func openAncestors(of root: DirectoryHandle) -> [DirectoryHandle] {
    guard var path = FilePath.ofOpen(root.descriptor) else { return [] }
    var ancestors: [DirectoryHandle] = []
    while !path.components.isEmpty {
      path.removeLastComponent()
      guard let ancestor = try? OwnedDescriptor.openDirectory(at: path, for: .search) else { break }
      ancestors.append(DirectoryHandle(ancestor))
    }
    return ancestors
  }

  package func mountPoints(below root: DirectoryHandle) -> [MountNumber: [FileName]] {
    FilePath.ofOpen(root.descriptor).map(Mount.points(below:)) ?? [:]
  }

  package func openDirectory(
    _ name: NameView, in directory: DirectoryHandle, for access: OwnedDescriptor.Access
  ) throws(Errno) -> DirectoryHandle {
    try directory.open(name, for: access)
  }

  /// Whether the directory's time changes with its entries.
  ///
  /// On FUSE, that depends on the program: exfat-fuse sets no new time after a rename.
  package func timesFollowEntries(of directory: DirectoryHandle) -> Bool {
    (try? FileSystemType.of(directory.descriptor)) != .fuse
  }

  package func mayReadContents(in directory: DirectoryHandle) -> Bool {
    devices.mayChangeRemotely(in: directory) == false
  }

  package func reopenForListing(_ directory: DirectoryHandle) throws(Errno) -> DirectoryHandle {
    DirectoryHandle(try directory.descriptor.reopenedForListing())
  }

  package func status(of directory: DirectoryHandle) throws(Errno) -> FileStatus {
    try overlays.status(of: directory.descriptor)
  }

  package func status(of name: NameView, in directory: DirectoryHandle) throws(Errno) -> FileStatus {
    let status = try FileStatus.of(name, in: directory.descriptor)
    if overlays.areOrdinary(on: status.device) { return status }
    // The name may belong to another inode by now, so that all is read from one open descriptor.
    return try overlays.status(of: OwnedDescriptor.openPath(name, in: directory.descriptor))
  }

  /// The status of an open item.
  func status(ofOpen file: borrowing OwnedDescriptor) throws(Errno) -> FileStatus { try overlays.status(of: file) }

  /// The tag of an open item.
  func readTag(ofOpen file: borrowing OwnedDescriptor) -> TagReading { tag.read(of: file) }

  /// Whether the file system of a name keeps no tags.
  func isTagUnsupported(of name: NameView, in directory: DirectoryHandle) -> Bool {
    tag.isUnsupported(for: name, in: directory.descriptor)
  }

  package func fileSystemIdentifier(
    of status: FileStatus, named name: NameView, in directory: DirectoryHandle
  ) -> UInt64 {
    let device = status.device
    if let known = identifiers.withLock({ $0[device] }) { return known }
    let described = try? FileSystemDescription.of(OwnedDescriptor.openPath(name, in: directory.descriptor))
    // Without an identifier, the device number is the best available; it lasts until the next mount.
    let identifier = described.map { $0.identifier == 0 ? device : $0.identifier } ?? device
    identifiers.withLock { $0[device] = identifier }
    return identifier
  }

  /// The identifier of the file system on a device, if it is known and is not the device number itself.
  package func lastingIdentifier(ofDevice device: UInt64) -> UInt64? {
    identifiers.withLock { $0[device] }.flatMap { $0 == device ? nil : $0 }
  }

  package func attributes(of name: NameView, in directory: DirectoryHandle) -> AttributeSummary? {
    try? AttributeSummary.of(name, in: directory.descriptor, besides: tag.attribute)
  }

  package func list(
    _ directory: DirectoryHandle, _ body: (NameView, ListedKind, UInt64) -> Void
  ) throws(Errno) {
    try withProber { (prober) throws(Errno) in try prober.reader.forEachEntry(of: directory.descriptor, body) }
  }

  package func visitEntries(
    of directory: DirectoryHandle, _ visitor: inout some EntryVisitor
  ) throws(Errno) {
    try withProber { (prober) throws(Errno) in
      try prober.rewind(directory.descriptor)
      if let knownTag = visitor.knownTag {
        return try visitEntries(of: directory, prober, knowing: knownTag, &visitor)
      }
      while let entries = try prober.next(
        in: directory.descriptor, reading: tag.attribute,
        presumingMissingIfChangedBefore: visitor.presumesNoTagBefore.flatMap {
          presumesNoTag(prober, in: directory) ? $0 : nil
        },
        where: { visitor.wants($0, $1) })
      {
        show(entries, in: directory, to: &visitor)
      }
    }
  }

  /// Reads only tags that the visitor does not know.
  private func visitEntries(
    of directory: DirectoryHandle, _ prober: EntryProber, knowing knownTag: @escaping KnownTag,
    _ visitor: inout some EntryVisitor
  ) throws(Errno) {
    while let entries = try prober.next(
      in: directory.descriptor, reading: tag.attribute, unless: { knownTag($0, $1) != nil },
      where: { visitor.wants($0, $1) })
    {
      show(entries, in: directory, knowing: knownTag, to: &visitor)
    }
  }

  /// Whether tags may be written without reading first: many were missing, and writing never replaces one.
  private func presumesNoTag(_ prober: EntryProber, in directory: DirectoryHandle) -> Bool {
    guard let device = prober.deviceWithoutAttributes, overlays.areOrdinary(on: device) else { return false }
    if creating.load(ordering: .relaxed) == device { return true }
    guard let type = try? FileSystemType.of(directory.descriptor), type.createsAttributesExclusively,
      (try? FileStatus.of(directory.descriptor).device) == device
    else { return false }
    creating.store(device, ordering: .relaxed)
    return true
  }

  private func withProber(_ body: (EntryProber) throws(Errno) -> Void) throws(Errno) {
    let pooled = probers.withLock { $0.popLast() } ?? SendableProber(prober: EntryProber())
    defer { probers.withLock { $0.append(pooled) } }
    try body(pooled.prober)
  }

  /// Passes probed entries to a visitor, and writes the tags that it returns.
  private func show(
    _ entries: ProbedEntries, in directory: DirectoryHandle, knowing knownTag: KnownTag? = nil,
    to visitor: inout some EntryVisitor
  ) {
    var isToBeTagged = false
    for index in 0..<entries.count {
      let name = entries.name(index)
      let status = status(of: name, entries.status(index), in: directory)
      let known = entries.isKnown(index) ? (try? status.get()).flatMap { knownTag?(name, $0) } : nil
      let tag = known.map { TagReading.uuid($0) } ?? entries.tag(index)
      guard let uuid = visitor.visit(name, status, tag) else { continue }
      entries.noteTag(uuid, for: index)
      isToBeTagged = true
    }
    guard isToBeTagged else { return }
    entries.write(in: directory.descriptor, to: tag.attribute)
    for index in 0..<entries.count where entries.isNoted(index) {
      visitor.noteTag(of: entries.name(index), claim(entries, index, in: directory))
    }
  }

  private func claim(_ entries: ProbedEntries, _ index: Int, in directory: DirectoryHandle) -> TagClaim {
    switch entries.written(index) {
    case .success(true): return .written
    case .success(false): return .found(readTag(of: entries.name(index), in: directory))
    case .failure(let error):
      let isRead = !entries.isPresumedMissing(index)
      return .failed(error, isRead ? .none : readTag(of: entries.name(index), in: directory))
    }
  }

  private func status(
    of name: NameView, _ found: Result<FileStatus, Errno>, in directory: DirectoryHandle
  ) -> Result<FileStatus, Errno> {
    guard case .success(let status) = found, !overlays.areOrdinary(on: status.device) else { return found }
    return Result { () throws(Errno) in try self.status(of: name, in: directory) }
  }

  package func passBarrier(in directory: DirectoryHandle) -> Bool {
    devices.ordersLooks(in: directory) && DirectoryBarrier.pass(in: directory)
  }

  package func probeWriters(of name: NameView, in directory: DirectoryHandle) -> WriterProbe {
    checked(WriterProbe.of(name, in: directory.descriptor), in: directory)
  }

  /// One descriptor serves the probe and the look.
  package func lookAfterWriters(of name: NameView, in directory: DirectoryHandle) -> LookAfterWriters {
    let (found, look) = WriterProbe.of(name, in: directory.descriptor) { file in
      (status: Result { () throws(Errno) in try overlays.status(of: file) }, tag: tag.read(of: file, isReadable: true))
    }
    let writers = checked(found, in: directory)
    guard let look else { return lookByName(after: writers, at: name, in: directory) }
    return LookAfterWriters(writers: writers, status: look.status, tag: look.tag)
  }

  /// A lease does not detect writers on other hosts or behind a FUSE file system.
  private func checked(_ found: WriterProbe, in directory: DirectoryHandle) -> WriterProbe {
    found == .nobodyWrites && devices.mayChangeRemotely(in: directory) == true ? .unknown : found
  }

  package func inodesInTrash(among questions: [TrashQuestion], root: DirectoryHandle) -> Set<FileKey> {
    trash.inodes(among: questions, root: root, self)
  }

  package var wallClock: Int64 { WallClock.nanoseconds }
}

/// Makes a prober sendable: one thread at a time takes it from the pool.
private struct SendableProber: @unchecked Sendable {
  let prober: EntryProber
}
