import FileEvents
import FileIdentity
import LinuxFileSystem

// What is reported of full scans: their beginning, progress and end.

extension Engine {
  func beginScan(_ reason: FileSystemObserver.ScanReason, _ start: MonotonicTime) {
    emit(.willScan(reason))
    tally = ScanTally()
    progressDue = start + settings.progressInterval
  }

  /// Reports the progress of a full scan at intervals.
  func reportProgress(_ reason: FileSystemObserver.ScanReason) {
    guard let due = progressDue else { return }
    let now = MonotonicTime.now
    guard due <= now else { return }
    progressDue = now + settings.progressInterval
    emit(
      .progress(
        FileSystemObserver.ScanProgress(
          reason: reason, itemCount: tally.items, awaitedDirectoryCount: tally.awaitedDirectories)))
  }

  func endScan(_ reason: FileSystemObserver.ScanReason, since start: MonotonicTime) {
    progressDue = nil
    let (items, directories) = state.classify { ($0.graph.count, $0.graph.directoryCount) }
    emit(
      .didScan(
        FileSystemObserver.ScanSummary(
          reason: reason, itemCount: items, directoryCount: directories, taggedCount: tally.tagged,
          duplicateCount: tally.duplicates, skipped: tally.skipped,
          duration: .nanoseconds(MonotonicTime.now - start))))
  }
}
