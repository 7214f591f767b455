internal import LinuxFileSystem

extension DocumentOperations {
  /// Tries an operation again if it failed because another call, or another program, came in between.
  ///
  /// - Parameters:
  ///   - isDueToOthers: Whether an error may be gone at the next attempt. After 16 attempts it is thrown.
  ///   - attempt: Finds out anew what is there, and leaves nothing behind if it fails.
  static func repeating<Value>(
    if isDueToOthers: (FileSystemObserverError) -> Bool,
    _ attempt: () throws(FileSystemObserverError) -> Value
  ) throws(FileSystemObserverError) -> Value {
    for _ in 1..<16 {
      do throws(FileSystemObserverError) {
        return try attempt()
      } catch {
        guard isDueToOthers(error) else { throw error }
      }
    }
    return try attempt()
  }
}
