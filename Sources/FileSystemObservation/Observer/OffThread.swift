import Dispatch

/// Runs a function that may block on a thread of the global queue, and returns its result.
func offThread<Result: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Result
) async throws(Failure) -> Result {
  let outcome = await withCheckedContinuation {
    (continuation: CheckedContinuation<Swift.Result<Result, Failure>, Never>) in
    DispatchQueue.global().async {
      do throws(Failure) {
        continuation.resume(returning: .success(try body()))
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
  }
  return try outcome.get()
}
