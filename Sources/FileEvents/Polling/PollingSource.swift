package import LinuxFileSystem
package import SystemPackage

/// Hints from repeated looks, for file systems whose changes the kernel does not report, such as those of other hosts.
package final class PollingSource<Files: DirectoryAccess>: EventSource {
  private struct State: Sendable {
    var thread: NativeThread?
    var isStarted = false
  }

  package let scanner: PollingScanner<Files>
  private let loop: PollingLoop<Files>
  private let state = Mutex(State())

  package convenience init(_ files: Files) throws(Errno) {
    try self.init(files, HintSequencer()) { _, _ in nil }
  }

  /// - Parameters:
  ///   - sequencer: Numbers the hints, together with those of other sources.
  ///   - tryMark: Asks the kernel for a mark of a directory that is polled for lack of room.
  init(
    _ files: Files, _ sequencer: HintSequencer,
    tryMark: @escaping @Sendable (Files.Directory, MarkScope) -> MarkID?
  ) throws(Errno) {
    scanner = PollingScanner(files)
    loop = try PollingLoop(scanner, sequencer, tryMark: tryMark)
  }

  deinit {
    stop()
  }

  package func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno) {
    loop.sequencer.deliver(to: deliver)
    try start()
  }

  /// Starts to send hints to the sequencer.
  ///
  /// The thread starts with the first polled directory.
  func start() throws(Errno) {
    try state.withLock { (state) throws(Errno) in
      loop.restart()
      state.isStarted = true
      if !scanner.isIdle { try startThread(&state) }
    }
  }

  private func startThread(_ state: inout State) throws(Errno) {
    guard state.isStarted, state.thread == nil else { return }
    let loop = loop
    state.thread = try NativeThread(name: "fso-polling") { loop.run() }
  }

  package func mark(_ directory: Files.Directory, for scope: MarkScope) throws(Errno) -> MarkID {
    try mark(directory, for: scope, wantsMark: false)
  }

  /// - Parameter wantsMark: Whether to ask the kernel for a mark again later.
  func mark(_ directory: Files.Directory, for scope: MarkScope, wantsMark: Bool) throws(Errno) -> MarkID {
    let now = MonotonicTime.now
    let mark = try scanner.mark(directory, for: scope.whereMarksCanBeNarrowed, wantsMark: wantsMark, at: now)
    loop.noteChange(at: now)
    try state.withLock { (state) throws(Errno) in try startThread(&state) }
    return mark
  }

  package func unmark(_ mark: MarkID, of directory: Files.Directory?) { _ = scanner.unmark(mark) }

  /// Does nothing: findings are delivered at once.
  package func deliverPending() {}

  package var delivered: UInt64 { loop.sequencer.delivered }

  package func horizon(since moment: MonotonicTime) -> UInt64? {
    scanner.hasEntries ? loop.horizon(since: moment) : 0
  }

  package func stop() {
    loop.stop()
    let running = state.withLock { state in
      defer { state.thread = nil }
      state.isStarted = false
      return state.thread
    }
    running?.join(until: .now + longestFarewell)
  }
}
