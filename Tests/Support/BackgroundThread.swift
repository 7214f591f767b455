internal import LinuxFileSystem

/// Runs what blocks on a thread of its own, so that it holds up no other test.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  // Thread and continuation end at about the same time: the thread is joined by whoever is resumed.
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
