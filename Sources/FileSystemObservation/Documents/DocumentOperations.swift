package import FileIdentity
internal import LinuxFileSystem
internal import SystemPackage

/// Runs the system calls with which an operation takes effect.
///
/// An observer runs them between two steps of its engine. The closure is called once, and its error is passed on.
package typealias Committing =
  @Sendable (_ item: CommittedItem, _ commit: () throws(Errno) -> Void) throws(Errno) -> Void

/// What a document app does with files, on the disk and without an observer.
///
/// Each operation prepares everything under a hidden name, flushes it to the disk, and takes effect by a few system
/// calls in one commit. If it throws, everything is as it was. A killed process or a power failure leaves the old or
/// the new state; an item whose name begins with `.fsobserver-` may then remain. Such an item is safe to delete, unless
/// the operation was a move between file systems, a removal or a replacement of a folder: then it holds what was to be
/// removed.
package struct DocumentOperations: Sendable {
  /// The steps of all operations; tests can make any of them fail.
  package enum Step: String, CaseIterable, Sendable {
    case checkItem, createFile, readContents, writeContents, carryOwner, carryAttributes, writeTag, carryPermissions,
      carryTimes
    case synchronizeFile, publish
    /// A failure of these has no consequence: the operation is complete by then.
    case removeOriginal, synchronizeFolder
  }

  /// Called before each step; a thrown error counts as the failure of the step.
  package typealias StepHook = @Sendable (Step) throws(Errno) -> Void

  let tag: FileTag
  let writesTags: Bool
  /// The item that the operations are meant for; `nil` for whatever is at the path.
  let expectedItem: ExpectedItem?
  /// Called exactly once for each visible effect of an operation.
  let committing: Committing
  private let beforeStep: StepHook?
  let beforeCarrying: Carrying.Hook?

  /// - Parameters:
  ///   - tag: The tag that holds a file's UUID.
  ///   - writesTags: Whether files without a tag get one. An existing tag is always carried over.
  ///   - item: The item that the operations are meant for: with any other, they fail with ESTALE.
  ///   - beforeStep: For tests.
  ///   - beforeCarrying: For tests.
  ///   - committing: Runs what makes an operation visible.
  package init(
    tag: FileTag, writesTags: Bool = true, expecting item: ExpectedItem? = nil, beforeStep: StepHook? = nil,
    beforeCarrying: Carrying.Hook? = nil,
    committing: @escaping Committing = { (_, commit) throws(Errno) in try commit() }
  ) {
    self.tag = tag
    self.writesTags = writesTags
    expectedItem = item
    self.committing = committing
    self.beforeCarrying = beforeCarrying
    self.beforeStep = beforeStep
  }

  /// Does one step, and converts its failure to an error that names the operation and the file.
  ///
  /// - Parameter item: The item within a folder that the step is about.
  func perform<Result: ~Copyable>(
    _ step: Step, of task: DocumentTask, at item: FilePath? = nil, _ body: () throws(Errno) -> Result
  ) throws(FileSystemObserverError) -> Result {
    do throws(Errno) {
      try beforeStep?(step)
      return try body()
    } catch {
      throw task.failure(of: step, error, at: item)
    }
  }

  /// The place and the status of an item that an operation begins with.
  ///
  /// - Throws: ESTALE if it is not the expected item, besides the reason why it cannot be reached.
  func existing(
    _ path: FilePath, for task: DocumentTask
  ) throws(FileSystemObserverError) -> (place: DocumentPlace, status: FileStatus) {
    let place = try DocumentPlace(path, for: task)
    guard let expectedItem else {
      return (place, try task.reaching(path) { () throws(Errno) in try place.status() })
    }
    // The tag and the status must be those of one inode: the name may lead to another at any moment.
    let item = try task.reaching(path) { () throws(Errno) in try place.openPath() }
    let status = try task.reaching(path) { () throws(Errno) in try FileStatus.of(item) }
    guard expectedItem.isFound(in: tag.read(of: item), status) else {
      throw task.failure(of: .checkItem, .staleNFSFileHandle)
    }
    return (place, status)
  }

  /// Whether the expected item is at a path.
  func findsExpectedItem(at path: FilePath) -> Bool { (try? existing(path, for: .readVersion(path))) != nil }

  /// Fails with ESTALE if an open item is not the expected one.
  func requireExpected(
    _ file: borrowing OwnedDescriptor, _ status: FileStatus, _ task: DocumentTask
  ) throws(FileSystemObserverError) {
    guard let expectedItem, !expectedItem.isFound(in: tag.read(of: file), status) else { return }
    throw task.failure(of: .checkItem, .staleNFSFileHandle)
  }

  /// Runs the system calls that make an operation visible.
  ///
  /// - Parameter item: What an observer cannot see of the result.
  func commit(
    _ task: DocumentTask, making item: CommittedItem = CommittedItem(), _ body: () throws(Errno) -> Void
  ) throws(FileSystemObserverError) {
    try perform(.publish, of: task) { () throws(Errno) in try committing(item, body) }
  }

  /// Writes a tag.
  ///
  /// On a file system without attributes the file is identified by its inode, and that is not a failure. Any other
  /// refusal is, unless tags are not to be written and this one is only carried over.
  ///
  /// - Parameter permissions: Permissions with which the owner can write it.
  /// - Returns: Whether the UUID is in the tag.
  @discardableResult
  func writeTag(
    _ uuid: UUIDBits, to file: borrowing OwnedDescriptor, permissions: UInt32 = 0o600, _ carrying: inout Carrying
  ) throws(Errno) -> Bool {
    do throws(Errno) {
      try beforeCarrying?(.tag)
      // A carried access control list may deny the owner write access; the permissions are set last.
      try? file.setPermissions(permissions)
      try tag.replace(with: uuid, of: file)
      return true
    } catch {
      if writesTags, error != .notSupported, error != .noFunction { throw error }
      if !writesTags { carrying.note(.tag, tag.attribute, error) }
      return false
    }
  }

  /// The UUID that a new inode gets, or that an observer computes for an inode without a tag.
  func mintedUUID(
    for file: borrowing OwnedDescriptor, avoiding original: UUIDBits? = nil
  ) throws(Errno) -> UUIDBits {
    let key = FileKey(try FileStatus.of(file))
    let identifier = try FileSystemDescription.of(file).identifier
    return .minted(for: key, on: identifier == 0 ? key.device : identifier, avoiding: original)
  }

  /// The same for an item in a folder.
  func mintedUUID(for status: FileStatus, in folder: DirectoryHandle) throws(Errno) -> UUIDBits {
    let key = FileKey(status)
    let identifier = try FileSystemDescription.of(folder.descriptor).identifier
    return .minted(for: key, on: identifier == 0 ? key.device : identifier)
  }

  /// Makes a rename survive a power failure, if the folder can be opened for reading.
  func synchronizeFolder(_ folder: DirectoryHandle) throws(Errno) {
    try folder.descriptor.reopenedForListing().synchronize()
  }

  /// The same, after an operation has taken effect: a failure is no failure of the operation.
  func finish(_ task: DocumentTask, in folders: DirectoryHandle...) {
    for folder in folders {
      _ = try? perform(.synchronizeFolder, of: task) { () throws(Errno) in try synchronizeFolder(folder) }
    }
  }
}
