package import LinuxFileSystem
package import SystemPackage

/// Hints of every directory of a tree: from the kernel where it tells of all changes and has room for a mark, from
/// looking elsewhere.
///
/// Nothing is renamed from one mount to another; and where directories of one mount differ for want of room, whoever
/// decides that something is gone asks first whether everything has been looked at (`horizon`).
package final class TreeSource<Files: DirectoryAccess>: EventSource where Files.Directory == DirectoryHandle {
  /// Which sources may be used.
  package enum Choice: Hashable, Sendable {
    /// The kernel's, or polling, as the file system wants it.
    case automatic
    /// The kernel's, for whatever file system.
    case kernel(MixedSource.Choice)
    case polling
  }

  private let polling: PollingSource<Files>
  private let kernel: KernelMarks
  private let choice: Choice
  private let outlet: HintOutlet
  /// Whether any directory has ever been polled.
  private let hasPolled = Mutex(false)

  /// - Parameter wait: Who waits for the kernel's events before the source's own threads do.
  /// - Throws: What the kernel says where no source can be had for other reasons than a limit.
  package init(
    _ choice: Choice = .automatic, _ files: Files, coverage: FanotifySource.Coverage = .fileSystems,
    _ wait: EventWait? = nil
  ) throws(Errno) {
    self.choice = choice
    let outlet = HintOutlet()
    let kernel: KernelMarks
    switch choice {
    case .automatic: kernel = KernelMarks(.automatic, coverage, outlet, wait)
    case .kernel(let source): kernel = KernelMarks(source, coverage, outlet, wait)
    case .polling: kernel = KernelMarks(nil, coverage, outlet, wait)
    }
    if choice != .polling { try kernel.prepare() }
    self.outlet = outlet
    self.kernel = kernel
    polling = try PollingSource(files, outlet: outlet) { directory, scope in kernel.tryMark(directory, for: scope) }
  }

  deinit {
    stop()
  }

  package func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno) {
    outlet.deliver(to: deliver)
    try kernel.start()
    try polling.start()
  }

  package func mark(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID {
    if choice == .polling || choice == .automatic && kernel.changesUntold(in: directory) {
      return try poll(directory, for: scope, wantsMark: false)
    }
    guard let mark = try kernel.mark(directory, for: scope) else {
      return try poll(directory, for: scope, wantsMark: true)
    }
    if hasPolled.withLock({ $0 }) { polling.scanner.unmark(directory) }
    return mark
  }

  private func poll(_ directory: DirectoryHandle, for scope: MarkScope, wantsMark: Bool) throws(Errno) -> MarkID {
    hasPolled.withLock { $0 = true }
    return try polling.mark(directory, for: scope, wantsMark: wantsMark)
  }

  package func unmark(_ mark: MarkID) { unmark(mark, of: nil) }

  package func unmark(_ mark: MarkID, of directory: DirectoryHandle?) {
    let known = mark.isOfPolling ? polling.scanner.unmark(mark) : mark
    if let known { kernel.source?.unmark(known, of: directory) }
  }

  package func recognize(_ directory: DirectoryHandle) -> MarkID? {
    choice == .polling ? nil : kernel.source?.recognize(directory)
  }

  package func deliverPending() { kernel.source?.deliverPending() }

  package var delivered: UInt64 { outlet.delivered }

  package func horizon(since moment: MonotonicTime) -> UInt64? { polling.horizon(since: moment) }

  package func takeReachedLimits() -> [ReachedLimit] { kernel.takeReachedLimits() }

  package func stop() {
    // Polling asks for marks.
    polling.stop()
    kernel.stop()
  }
}
