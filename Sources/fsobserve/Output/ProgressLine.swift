import Dispatch
import Synchronization

/// Tells a person at a terminal that a scan is under way, once it takes longer than a second.
final class ProgressLine: Sendable {
  private struct Scan {
    let number: Int
    let start = ContinuousClock.now
  }

  private struct State {
    var count = 0
    var scan: Scan?
  }

  private let console: Console
  private let queue = DispatchQueue(label: "fsobserve.progress")
  private let state = Mutex(State())

  init(on console: Console) {
    self.console = console
  }

  deinit {
    finish()
  }

  /// A scan begins.
  func start() {
    guard console.showsProgress else { return }
    let number = state.withLock { state in
      state.count += 1
      state.scan = Scan(number: state.count)
      return state.count
    }
    schedule(number, after: .seconds(1))
  }

  /// The scan is done: the line goes away.
  func finish() {
    state.withLock { state in
      state.scan = nil
      console.clearProgress()
    }
  }

  private func schedule(_ number: Int, after delay: DispatchTimeInterval) {
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.show(number) }
  }

  private func show(_ number: Int) {
    let goesOn = state.withLock { state in
      guard let scan = state.scan, scan.number == number else { return false }
      let seconds = (ContinuousClock.now - scan.start).components.seconds
      console.showProgress("Scanning … \(seconds) s")
      return true
    }
    if goesOn { schedule(number, after: .milliseconds(200)) }
  }
}
