package import LinuxFileSystem
package import SystemPackage

/// A source of hints: inotify, fanotify, polling, or a simulation.
///
/// Mark a directory **before** you list it. A change between the two may then be found twice, but is never missed.
package protocol EventSource<Directory>: Sendable {
  /// An open directory of the file system that is observed.
  associatedtype Directory

  /// Starts to deliver hints.
  ///
  /// `deliver` is called by one thread at a time, in order. It must not block for long, and must not call the source.
  func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno)

  /// Marks a directory, or changes the scope of its mark.
  ///
  /// The same directory always has the same number.
  ///
  /// - Throws: ENOSPC where a limit of marks is reached.
  func mark(_ directory: Directory, for scope: MarkScope) throws(Errno) -> MarkID

  /// Removes a mark.
  ///
  /// Hints that are already queued may still come.
  ///
  /// - Parameter directory: The directory, if the caller has it. The kernel knows a mark of fanotify only by its
  ///   directory.
  func unmark(_ mark: MarkID, of directory: Directory?)

  /// Registers a directory that cannot be marked for lack of permission.
  ///
  /// With fanotify the parent's mark reports attribute changes of this directory by file handle. Those hints carry the
  /// returned number.
  func recognize(_ directory: Directory) -> MarkID?

  /// Delivers hints of everything that the kernel has queued before the call, on the calling thread.
  func deliverPending()

  /// How many hints have been delivered.
  var delivered: UInt64 { get }

  /// The number of hints that covers everything that happened before a moment. It is nothing while that is not known:
  /// ask again later.
  ///
  /// Sources that look at directories need it; for the kernel's sources it is 0.
  func horizon(since moment: MonotonicTime) -> UInt64?

  /// Takes the limits reached since the last call. Directories beyond them are polled.
  func takeReachedLimits() -> [ReachedLimit]

  /// Ends delivery, and waits for its end.
  ///
  /// No hint is delivered afterwards. Several threads may call this.
  func stop()
}

extension EventSource {
  package func unmark(_ mark: MarkID) { unmark(mark, of: nil) }
  package func recognize(_ directory: Directory) -> MarkID? { nil }
  package func horizon(since moment: MonotonicTime) -> UInt64? { 0 }
  package func takeReachedLimits() -> [ReachedLimit] { [] }
}
