internal import LinuxFileSystem
internal import SystemPackage

/// How the caller follows a long operation, and ends it.
package struct OperationControl: Sendable {
  /// Called on the thread of the operation, about every 50 ms at most, and once at the end of the copying.
  package var progress: @Sendable (FileSystemObserver.OperationProgress) -> Void
  /// Asked before each item and each 16 MiB at least; after `true` the operation ends with the error `cancelled`.
  package var isCancelled: @Sendable () -> Bool

  package init(
    progress: @escaping @Sendable (FileSystemObserver.OperationProgress) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.progress = progress
    self.isCancelled = isCancelled
  }
}

/// Counts what is done, and reports it from time to time.
struct ProgressMeter {
  private static let interval: Int64 = 50_000_000

  private let control: OperationControl
  private var progress = FileSystemObserver.OperationProgress()
  private var reported: MonotonicTime?

  init(_ control: OperationControl) {
    self.control = control
  }

  /// Sets the totals.
  mutating func expect(items: Int, bytes: Int64) {
    progress.totalItems = items
    progress.totalBytes = bytes
  }

  /// Counts bytes that are done.
  ///
  /// - Throws: ECANCELED if the operation is to end.
  mutating func add(bytes: Int64) throws(Errno) {
    progress.bytes += bytes
    try update()
  }

  /// Counts an item that is done.
  ///
  /// - Throws: ECANCELED if the operation is to end.
  mutating func addItem() throws(Errno) {
    progress.items += 1
    try update()
  }

  /// Asks whether the operation is to end.
  func checkCancellation() throws(Errno) {
    if control.isCancelled() { throw .canceled }
  }

  /// Reports the end.
  func finish() { control.progress(progress) }

  private mutating func update() throws(Errno) {
    try checkCancellation()
    let now = MonotonicTime.now
    if let reported, now - reported < Self.interval { return }
    reported = now
    control.progress(progress)
  }
}
