import Dispatch
import Synchronization

/// Waits for an asynchronous function.
enum Waiting {
  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  /// Blocks the calling thread, which must be the main one of the tool, until the function has returned.
  static func result<Value: Sendable>(of body: @escaping @Sendable () async -> Value) -> Value {
    let box = Box<Value>()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      let value = await body()
      box.value.withLock { $0 = value }
      done.signal()
    }
    while true {
      done.wait()
      if let value = box.value.withLock({ $0 }) { return value }
    }
  }
}
