internal import SystemPackage

// The control of a batch, and that of each of its items.

extension OperationControl {
  /// The control of one item: its bytes are reported with the number of items before it.
  func part(_ index: Int, of count: Int) -> OperationControl {
    OperationControl(progress: { self.report(index, of: count, $0) }, isCancelled: isCancelled)
  }

  /// Reports that items are done.
  ///
  /// - Parameter inside: How far the item at hand has come.
  func report(_ done: Int, of count: Int, _ inside: FileSystemObserver.OperationProgress = .init()) {
    progress(
      FileSystemObserver.OperationProgress(
        items: done, totalItems: count, bytes: inside.bytes, totalBytes: inside.totalBytes,
        fraction: (Double(done) + (inside.fraction ?? 0)) / Double(count)))
  }

  /// - Parameter name: What names the next item in the error.
  /// - Throws: `cancelled` if the batch is to end before it.
  func checkCancellation(before name: String, at path: FilePath? = nil) throws(FileSystemObserverError) {
    guard isCancelled() else { return }
    throw FileSystemObserverError(
      code: .cancelled, sentence: "the operation was cancelled before \(name); the items before it are done", path: path
    )
  }
}
