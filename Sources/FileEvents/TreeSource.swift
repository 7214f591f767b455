package import LinuxFileSystem
package import SystemPackage

/// Hints of every directory of a tree: from the kernel if it reports all changes and has room for a mark, from polling
/// otherwise.
///
/// No file is renamed from one mount to another. If directories of one mount have different sources for lack of room,
/// `horizon` shows when polling has caught up.
package final class TreeSource<Files: DirectoryAccess>: EventSource where Files.Directory == DirectoryHandle {
  /// Which sources may be used.
  package enum Choice: Hashable, Sendable {
    /// The kernel's sources or polling, depending on the file system.
    case automatic
    /// The kernel's sources for any file system.
    case kernel(WatchPool.Choice)
    case polling
  }

  private let choice: Choice
  private let sequencer: HintSequencer
  /// The kernel's sources; none if everything is polled.
  private let kernel: WatchPool?
  private let polling: PollingSource<Files>
  private let devices = KnownDevices()
  /// Whether any directory has ever been polled.
  private let hasPolled = Mutex(false)

  /// - Parameter wait: Another waiter for the kernel's events, which the kernel wakes first.
  /// - Throws: The error of the kernel, if no source can be created for another reason than a limit.
  package init(
    _ choice: Choice = .automatic, _ files: Files, coverage: FanotifySource.Coverage = .fileSystems,
    _ wait: EventWait? = nil
  ) throws(Errno) {
    let sequencer = HintSequencer()
    let kernel: WatchPool? =
      switch choice {
      case .automatic: WatchPool(.automatic, coverage: coverage, sequencer, wait)
      case .kernel(let choice): WatchPool(choice, coverage: coverage, sequencer, wait)
      case .polling: nil
      }
    try kernel?.prepare()
    self.choice = choice
    self.sequencer = sequencer
    self.kernel = kernel
    polling = try PollingSource(files, sequencer) { directory, scope in try? kernel?.mark(directory, for: scope) }
  }

  deinit {
    stop()
  }

  package func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno) {
    sequencer.deliver(to: deliver)
    try kernel?.start()
    try polling.start()
  }

  package func mark(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID {
    guard let kernel, choice != .automatic || !changesRemotely(directory) else {
      return try poll(directory, for: scope, wantsMark: false)
    }
    guard let mark = try kernel.markIfRoom(directory, for: scope) else {
      return try poll(directory, for: scope, wantsMark: true)
    }
    if hasPolled.withLock({ $0 }) { polling.scanner.unmark(directory) }
    return mark
  }

  private func poll(_ directory: DirectoryHandle, for scope: MarkScope, wantsMark: Bool) throws(Errno) -> MarkID {
    hasPolled.withLock { $0 = true }
    return try polling.mark(directory, for: scope, wantsMark: wantsMark)
  }

  private func changesRemotely(_ directory: DirectoryHandle) -> Bool {
    if directory.mountGuard == nil { return devices.mayChangeRemotely(in: directory) ?? false }
    let devices = devices
    // A mount that does not answer cannot be watched either.
    return (try? directory.guarded { devices.mayChangeRemotely(in: directory) }) ?? true
  }

  package func unmark(_ mark: MarkID, of directory: DirectoryHandle?) {
    let known = mark.isOfPolling ? polling.scanner.unmark(mark) : mark
    if let known { kernel?.unmark(known, of: directory) }
  }

  package func recognize(_ directory: DirectoryHandle) -> MarkID? { kernel?.recognize(directory) }

  package func deliverPending() { kernel?.deliverPending() }

  package var delivered: UInt64 { sequencer.delivered }

  package func horizon(since moment: MonotonicTime) -> UInt64? { polling.horizon(since: moment) }

  package func takeReachedLimits() -> [ReachedLimit] { kernel?.takeReachedLimits() ?? [] }

  package func stop() {
    // Polling first, because it asks for marks.
    polling.stop()
    kernel?.stop()
  }
}
