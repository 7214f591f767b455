import Foundation
import Synchronization

/// A program that writes files beside the watched trees, on the same file system, at a fixed pace.
final class BusyNeighbor: Sendable {
  private let folder: Folder
  private let isEnded = Mutex(false)

  /// - Parameter filesPerSecond: Each is opened, written and closed.
  init(in parent: Folder, filesPerSecond: Int) throws {
    try parent.mkdir("beside")
    folder = parent.appending("beside")
    let pause = Duration.seconds(1) / filesPerSecond
    Thread.detachNewThread { self.work(pause) }
  }

  private func work(_ pause: Duration) {
    let clock = ContinuousClock()
    var next = clock.now
    var number = 0
    while !isEnded.withLock({ $0 }) {
      try? folder.write("\(number % 1_000)")
      number += 1
      next += pause
      // A thread that slept would wake in steps, and write several files at once.
      while clock.now < next {}
    }
  }

  func end() { isEnded.withLock { $0 = true } }
}
