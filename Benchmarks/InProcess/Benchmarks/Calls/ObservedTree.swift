import Dispatch
import FileSystemObservation
import Foundation

/// A folder with files, and an observer of it that knows them all.
///
/// It lives as long as the process: what a benchmark's setup returns is never let go of. `Scripts/bench` removes the
/// folder.
final class ObservedTree: Sendable {
  let folder: URL
  let observer: FileSystemObserver

  /// - Parameter folders: So many folders, with 100 files each.
  init(folders: Int) throws {
    folder = URL.temporaryDirectory.appending(path: "tree-\(UUID())", directoryHint: .isDirectory)
    for number in 0..<folders {
      let sub = folder.appending(path: "folder \(number)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: sub, withIntermediateDirectories: true)
      for file in 0..<100 { try Data("text".utf8).write(to: sub.appending(path: "document \(file).txt")) }
    }
    observer = FileSystemObserver(directory: folder)
    try startAndWait()
  }

  /// Returns when all is known.
  func startAndWait() throws {
    let isReady = DispatchSemaphore(value: 0)
    let token = observer.addNotificationBlock { _, notification in
      if case .didCompleteFullScan = notification { isReady.signal() }
    }
    defer { token.invalidate() }
    try observer.start()
    isReady.wait()
  }
}
