import Dispatch
import FileSystemObservation
import Synchronization

/// Shows a person that a scan is running, once it takes longer than a second.
final class ProgressLine: Sendable {
  /// The form of the messages.
  private enum Form {
    /// One line of a terminal, which the next one replaces.
    case line
    /// A line every few seconds, without control characters.
    case lines
  }

  private struct Scan {
    let number: Int
    let start = ContinuousClock.now
    /// How far the scan has come, once known.
    var progress: FileSystemObserver.ScanProgress?

    var text: String {
      let time = "\((ContinuousClock.now - start).components.seconds) s"
      guard let progress else { return "Scanning … \(time)" }
      return "Scanning … \(progress), \(time)"
    }
  }

  private struct State {
    var count = 0
    /// The number of running scans: one for each folder.
    var running = 0
    var scan: Scan?
  }

  private let console: Console
  private let form: Form?
  private let queue = DispatchQueue(label: "fsobserve.progress")
  private let state = Mutex(State())

  /// - Parameter isWanted: Whether to report on standard error even if that is no terminal.
  init(on console: Console, isWanted: Bool = false) {
    self.console = console
    form = console.isTerminal ? (console.isPlain ? .lines : .line) : isWanted ? .lines : nil
  }

  deinit {
    finish(all: true)
  }

  /// Notes the beginning of a scan.
  func start() {
    guard form != nil else { return }
    let number: Int? = state.withLock { state in
      state.running += 1
      guard state.scan == nil else { return nil }
      state.count += 1
      state.scan = Scan(number: state.count)
      return state.count
    }
    if let number { schedule(number, after: .seconds(1)) }
  }

  /// Notes the end of a scan; with the last one, the line goes away.
  func finish(all: Bool = false) {
    state.withLock { state in
      state.running = all ? 0 : max(0, state.running - 1)
      if state.running > 0 { return }
      state.scan = nil
      console.clearProgress()
    }
  }

  /// Stores how far a scan has come.
  func note(_ progress: FileSystemObserver.ScanProgress) {
    state.withLock { $0.scan?.progress = progress }
  }

  private func schedule(_ number: Int, after delay: DispatchTimeInterval) {
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.show(number) }
  }

  private func show(_ number: Int) {
    let goesOn = state.withLock { state in
      guard let scan = state.scan, scan.number == number else { return false }
      show(scan.text)
      return true
    }
    if goesOn { schedule(number, after: form == .lines ? .seconds(5) : .milliseconds(200)) }
  }

  private func show(_ text: String) {
    if form == .lines { console.say(text) } else { console.showProgress(text) }
  }
}
