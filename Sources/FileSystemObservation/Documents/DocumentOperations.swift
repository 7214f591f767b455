package import FileIdentity
internal import LinuxFileSystem
internal import SystemPackage

/// Replaces and copies documents without losing their metadata.
///
/// Both operations write a new file under a hidden name in the target's folder, complete it, flush it to the disk and
/// rename it in one step. If they throw, the document is unchanged and no file is left in the folder. A killed process
/// or a power failure leaves the old or the new document complete; a file whose name begins with `.fsobserver-` may
/// then remain, and is safe to delete.
package struct DocumentOperations: Sendable {
  /// The steps, in order; tests can make any of them fail.
  package enum Step: String, CaseIterable, Sendable {
    case createFile, writeContents, carryOwner, carryAttributes, writeTag, carryPermissions, synchronizeFile, publish
    /// A failure has no consequence: the operation is complete by then.
    case synchronizeFolder
  }

  /// Called before each step; a thrown error counts as the failure of the step.
  package typealias StepHook = @Sendable (Step) throws(Errno) -> Void

  let tag: FileTag
  let writesTags: Bool
  private let beforeStep: StepHook?
  let beforeCarrying: Carrying.Hook?

  /// - Parameters:
  ///   - tag: The tag that holds a file's UUID.
  ///   - writesTags: Whether files without a tag get one. An existing tag is always carried over.
  ///   - beforeStep: For tests.
  ///   - beforeCarrying: For tests.
  package init(
    tag: FileTag, writesTags: Bool = true, beforeStep: StepHook? = nil, beforeCarrying: Carrying.Hook? = nil
  ) {
    self.tag = tag
    self.writesTags = writesTags
    self.beforeCarrying = beforeCarrying
    self.beforeStep = beforeStep
  }

  /// Does one step, and converts its failure to an error that names the operation and the file.
  func perform<Result: ~Copyable>(
    _ step: Step, of task: DocumentTask, _ body: () throws(Errno) -> Result
  ) throws(FileSystemObserverError) -> Result {
    do throws(Errno) {
      try beforeStep?(step)
      return try body()
    } catch {
      throw task.failure(of: step, error)
    }
  }

  /// Writes a tag.
  ///
  /// On a file system without attributes the file is identified by its inode, and that is not a failure. Any other
  /// refusal is, unless tags are not to be written and this one is only carried over.
  func writeTag(
    _ uuid: UUIDBits, to file: borrowing OwnedDescriptor, _ carrying: inout Carrying
  ) throws(Errno) {
    do throws(Errno) {
      try beforeCarrying?(.tag)
      // A carried access control list may deny the owner write access; the permissions are set last.
      try? file.setPermissions(0o600)
      try tag.replace(with: uuid, of: file)
    } catch {
      if writesTags, error != .notSupported, error != .noFunction { throw error }
      if !writesTags { carrying.note(.tag, tag.attribute, error) }
    }
  }

  /// Makes a rename survive a power failure, if the folder can be opened for reading.
  func synchronizeFolder(_ folder: DirectoryHandle) throws(Errno) {
    try folder.descriptor.reopenedForListing().synchronize()
  }
}
