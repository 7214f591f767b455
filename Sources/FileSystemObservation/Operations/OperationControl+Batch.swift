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
}
