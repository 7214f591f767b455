internal import LinuxFileSystem
internal import SystemPackage

extension FileSystemObserver {
  /// How an app follows a long operation, and ends it.
  ///
  /// ```swift
  /// let control = FileSystemObserver.OperationControl(
  ///   progress: { print("\($0.bytes) of \($0.totalBytes ?? 0) bytes") }, isCancelled: { isCancelled.load() })
  /// try observer.duplicateItem(at: folder, to: copy, control: control)
  /// ```
  public struct OperationControl: Sendable {
    /// Called on the thread of the operation, every 50 ms at most, and once at the end.
    public var progress: @Sendable (OperationProgress) -> Void
    /// Called on the thread of the operation, before each item and at least every 16 MiB.
    ///
    /// If it returns true, the operation throws `cancelled`, and everything is as it was. An asynchronous call also
    /// ends when its task is cancelled.
    public var isCancelled: @Sendable () -> Bool

    /// Makes a control; without arguments, one that neither follows nor ends anything.
    public init(
      progress: @escaping @Sendable (OperationProgress) -> Void = { _ in },
      isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
      self.progress = progress
      self.isCancelled = isCancelled
    }
  }
}

package typealias OperationControl = FileSystemObserver.OperationControl

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
  func finish() { report(1) }

  private mutating func update() throws(Errno) {
    try checkCancellation()
    let now = MonotonicTime.now
    if let reported, now - reported < Self.interval { return }
    reported = now
    report(fraction)
  }

  /// The bytes count; without any, the items do.
  private var fraction: Double? {
    if let total = progress.totalBytes, total > 0 { return min(1, Double(progress.bytes) / Double(total)) }
    guard let total = progress.totalItems, total > 0 else { return nil }
    return min(1, Double(progress.items) / Double(total))
  }

  private func report(_ fraction: Double?) {
    var progress = progress
    progress.fraction = fraction
    control.progress(progress)
  }
}
