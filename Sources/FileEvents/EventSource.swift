package import LinuxFileSystem
package import SystemPackage

/// Where hints come from: inotify, fanotify, polling, or a simulation.
///
/// A directory is marked **before** it is listed: what happens between the two is then hinted at, and perhaps found
/// twice, but never missed.
package protocol EventSource<Directory>: Sendable {
  /// An open directory of the file system that is observed.
  associatedtype Directory

  /// Begins to deliver hints. `deliver` is called from one thread at a time, in order, and must not block for long; it
  /// may not call back into the source.
  func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno)

  /// Marks a directory, or changes what its mark covers. The same directory always gets the same number.
  ///
  /// - Throws: ENOSPC where a limit of marks is reached.
  func mark(_ directory: Directory, for scope: MarkScope) throws(Errno) -> MarkID

  /// Removes a mark. Hints that are already queued may still come.
  ///
  /// - Parameter directory: The directory, if the caller has it: the kernel knows a mark of fanotify only by that.
  func unmark(_ mark: MarkID, of directory: Directory?)

  /// Takes note of a directory that cannot be marked for want of permission.
  ///
  /// Where its parent's mark tells of it by what it is and not by its name, hints of a change of its attributes come
  /// under this number.
  func recognize(_ directory: Directory) -> MarkID?

  /// Delivers, on the calling thread, what the kernel has told and nobody has read: hints of whatever happened before
  /// the call.
  func deliverPending()

  /// How many hints have been delivered.
  var delivered: UInt64 { get }

  /// The number of the hint by which everything has been told that happened before a moment; nothing where that is not
  /// known yet, and will be if it is asked again. For a source that looks instead of being told.
  func horizon(since moment: MonotonicTime) -> UInt64?

  /// The limits that were reached since the last call: what is beyond them is polled.
  func takeReachedLimits() -> [ReachedLimit]

  /// Ends delivery and waits for it to end. No hint is delivered afterwards.
  func stop()
}

extension EventSource {
  package func unmark(_ mark: MarkID) { unmark(mark, of: nil) }
  package func recognize(_ directory: Directory) -> MarkID? { nil }
  package func horizon(since moment: MonotonicTime) -> UInt64? { 0 }
  package func takeReachedLimits() -> [ReachedLimit] { [] }
}
