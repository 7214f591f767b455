package import FileIdentity
internal import LinuxFileSystem
internal import SystemPackage

/// The two operations on documents that an app would otherwise do itself, and thereby lose what the file carries.
///
/// Both make the new file under a hidden name in the folder of the target, complete it, bring it to the disk, and give
/// it its name in one step. Whenever they throw, the document is as it was and nothing else is left in the folder. A
/// process that is killed, or a power failure, leaves the document complete, the old one or the new one; a file whose
/// name begins with `.fsobserver-` may then remain, which is safe to delete.
package struct DocumentOperations: Sendable {
  /// What is done one after the other; tests let any of them fail.
  package enum Step: String, CaseIterable, Sendable {
    case createFile, writeContents, carryOwner, carryAttributes, writeTag, carryPermissions, synchronizeFile, publish
    /// Fails without consequence: what was to be done is done by then.
    case synchronizeFolder
  }

  /// Called before each step; what it throws is taken as the failure of the step.
  package typealias StepHook = @Sendable (Step) throws(Errno) -> Void

  let tag: FileTag
  let writesTags: Bool
  private let beforeStep: StepHook?
  let beforeCarrying: Carrying.Hook?

  /// - Parameters:
  ///   - tag: Where the UUID of a file stands.
  ///   - writesTags: Whether files get tags that have none. A tag that is there is carried over in any case.
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

  /// Does one step; its failure becomes the error that says what was to be done with which file.
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
  /// On a file system without attributes the file is known by its inode, and that is no failure. Any other refusal is
  /// one, unless tags are not to be written and this one is only carried over.
  func writeTag(
    _ uuid: UUIDBits, to file: borrowing OwnedDescriptor, _ carrying: inout Carrying
  ) throws(Errno) {
    do throws(Errno) {
      try beforeCarrying?(.tag)
      // An access control list that came with the attributes may forbid the owner to write; the permissions come last.
      try? file.setPermissions(0o600)
      try tag.replace(with: uuid, of: file)
    } catch {
      if writesTags, error != .notSupported, error != .noFunction { throw error }
      if !writesTags { carrying.note(.tag, tag.attribute, error) }
    }
  }

  /// Makes a change of names survive a power failure, where the folder may be opened for that.
  func synchronizeFolder(_ folder: DirectoryHandle) throws(Errno) {
    try folder.descriptor.reopenedForListing().synchronize()
  }
}
