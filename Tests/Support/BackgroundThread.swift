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
