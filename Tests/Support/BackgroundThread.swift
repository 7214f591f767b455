internal import LinuxFileSystem

/// Runs a blocking call on a thread of its own, so that it delays no other test.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  // The resumed task joins the thread, which ends at about the same time.
  let thread = Mutex<NativeThread?>(nil)
  defer { thread.withLock { $0 }?.join() }
  return try await withCheckedThrowingContinuation { continuation in
    do {
      let started = try NativeThread(name: "test") { continuation.resume(with: Result { try body() }) }
      thread.withLock { $0 = started }
    } catch {
      continuation.resume(throwing: error)
    }
  }
}

/// Does something at least once, and again and again for as long as a body takes, on a thread of its own.
///
/// A task that never waits would keep one of the few threads that all tasks share; two of them would keep every test from
/// going on, also the ones that they wait for.
package func repeating<Value>(
  _ step: @escaping @Sendable () throws -> Void, during body: () async throws -> Value
) async throws -> Value {
  let isOver = Mutex(false)
  async let loop: Void = onThread {
    repeat { try step() } while !isOver.withLock { $0 }
  }
  let value: Value
  do {
    defer { isOver.withLock { $0 = true } }
    value = try await body()
  }
  try await loop
  return value
}
