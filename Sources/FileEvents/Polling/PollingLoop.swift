import LinuxFileSystem
import SystemPackage

/// The work of the polling thread: a pass when it is due, and otherwise a wait.
final class PollingLoop<Files: DirectoryAccess>: Sendable {
  private struct State: Sendable {
    var isStopped = false
    var schedule: PollingSchedule
    /// When the last complete pass began, and the number of hints delivered after it.
    var lastPass: (began: MonotonicTime, delivered: UInt64)?
  }

  let scanner: PollingScanner<Files>
  let sequencer: HintSequencer
  private let signal: WakeSignal
  private let mountChanges: MountChanges
  private let epoll: Epoll
  private let state: Mutex<State>
  /// Asks the kernel for a mark, if there is room now.
  private let tryMark: @Sendable (Files.Directory, MarkScope) -> MarkID?

  private static var signalToken: UInt64 { 1 }
  private static var mountsToken: UInt64 { 2 }

  init(
    _ scanner: PollingScanner<Files>, _ sequencer: HintSequencer,
    tryMark: @escaping @Sendable (Files.Directory, MarkScope) -> MarkID?
  ) throws(Errno) {
    self.scanner = scanner
    self.sequencer = sequencer
    self.tryMark = tryMark
    signal = try WakeSignal()
    mountChanges = try MountChanges()
    epoll = try Epoll()
    try epoll.add(signal.descriptor, token: Self.signalToken)
    try epoll.addChanges(of: mountChanges.descriptor, token: Self.mountsToken)
    state = Mutex(State(schedule: PollingSchedule(at: .now)))
  }

  func restart() {
    signal.clear()
    state.withLock { $0.isStopped = false }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    signal.send()
  }

  /// Another source reports a change of the tree.
  func noteChange(at now: MonotonicTime) {
    state.withLock { $0.schedule.noteChange(at: now) }
    signal.send()
  }

  func horizon(since moment: MonotonicTime) -> UInt64? {
    state.withLock { state in
      if let last = state.lastPass, last.began > moment { return last.delivered }
      state.schedule.want(since: moment)
      signal.send()
      return nil
    }
  }

  func run() {
    while !state.withLock({ $0.isStopped }) {
      let due = scanner.isIdle ? nil : state.withLock { $0.schedule.next }
      if let due, due <= .now {
        pass()
      } else if !wait(until: due) {
        return sequencer.send(HintBatch(overflowed: true))
      }
    }
  }

  /// Waits for the next pass, a signal, or a change of the mounts.
  ///
  /// - Returns: Whether the wait succeeded. After a failure nothing can be reported; the rescan will show the reason.
  private func wait(until due: MonotonicTime?) -> Bool {
    do throws(Errno) {
      switch try epoll.wait(until: due) {
      case Self.signalToken: signal.clear()
      case Self.mountsToken: sendMountChanges()
      default: break
      }
      return true
    } catch {
      return false
    }
  }

  /// Sends a hint for each anchor: a mount may have covered it without a change of its times.
  private func sendMountChanges() {
    state.withLock { $0.schedule.noteChange(at: .now) }
    let hints = scanner.anchorMarks.map { Hint(directory: $0, kinds: .unmounted) }
    if !hints.isEmpty { sequencer.send(HintBatch(hints: hints)) }
  }

  private func pass() {
    let began = MonotonicTime.now
    let findings = scanner.pass(at: began, tryMark: tryMark)
    if !findings.hints.isEmpty { sequencer.send(HintBatch(hints: findings.hints)) }
    let delivered = sequencer.delivered
    state.withLock { state in
      if findings.isComplete { state.lastPass = (began, delivered) }
      state.schedule.passEnded(began: began, at: .now, foundChanges: !findings.hints.isEmpty)
    }
  }
}
