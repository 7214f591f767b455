import Dispatch

/// Runs a function that may block on a thread of the global queue, and returns its result.
func offThread<Result: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Result
) async throws(Failure) -> Result {
  let outcome = await withCheckedContinuation {
    (continuation: CheckedContinuation<Swift.Result<Result, Failure>, Never>) in
    // A queue of its own gets a thread at once. The threads of the global queues are few, and others may block them.
    DispatchQueue(label: "FileSystemObservation.off-thread").async {
      do throws(Failure) {
        continuation.resume(returning: .success(try body()))
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
  }
  return try outcome.get()
}
