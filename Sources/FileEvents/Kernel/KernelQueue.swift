import LinuxFileSystem
import SystemPackage

/// A queue of events in the kernel, whose events become hints.
protocol KernelQueue: ~Copyable, Sendable {
  /// What turns events into hints, and remembers what that takes.
  associatedtype Translator: EventTranslator

  /// How long the reader's thread rests after it has emptied the queue, in nanoseconds: usually, and in a burst.
  ///
  /// Otherwise it wakes for each event of a burst. Outside of bursts the engine, when it is free, reads without delay.
  static var rest: (usual: Int64, inBurst: Int64) { get }

  /// Calls `body` with the descriptor that is readable while events wait.
  borrowing func withDescriptor(_ body: (borrowing OwnedDescriptor) throws(Errno) -> Void) throws(Errno)

  /// Reads one buffer of events, and appends their hints.
  ///
  /// - Returns: How many events there were, and whether more may wait.
  borrowing func read(
    into buffer: UnsafeMutableRawBufferPointer, _ translator: inout Translator, _ batch: inout HintBatch
  ) throws(Errno) -> (count: Int, mayBeMore: Bool)
}

/// Turns events of one queue into hints.
///
/// The reader of the queue calls it, one thread at a time.
protocol EventTranslator: Sendable {
  init()

  /// Whether the table of mounts is wanted with the next mark on a mount.
  func isNew(_ mount: MountNumber) -> Bool

  /// Takes the marks that the kernel has dropped together with their mount, without an event.
  mutating func takeUnmounted(_ table: MountTable) -> [MarkID]

  /// Forgets a directory that is no longer marked.
  mutating func forget(_ mark: MarkID)
}
