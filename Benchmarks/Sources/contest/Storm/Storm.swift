import Dispatch
import Foundation
import Synchronization

/// The operations of a task, on a thread of their own.
final class Storm: Sendable {
  private let task: StormTask
  private let folder: Folder
  private let count: Int
  private let outcome = Mutex<Result<Void, any Error>?>(nil)
  private let ended = Mutex<Moment?>(nil)
  private let isOver = DispatchSemaphore(value: 0)

  init(_ task: StormTask, _ folder: Folder, _ count: Int) {
    self.task = task
    self.folder = folder
    self.count = count
  }

  /// Does them here and now.
  func run() throws {
    let result = Result { try task.act(folder, count) }
    ended.withLock { $0 = .now }
    outcome.withLock { $0 = result }
    isOver.signal()
  }

  func begin() {
    Thread.detachNewThread { try? self.run() }
  }

  var isRunning: Bool { outcome.withLock { $0 == nil } }

  /// When the last of them was done; now before that.
  var endTime: Moment { ended.withLock { $0 } ?? .now }

  /// Waits for the last of them.
  func end() throws {
    isOver.wait()
    try outcome.withLock { $0 }?.get()
  }
}
