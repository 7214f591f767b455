import Dispatch
import FileSystemObservation
import FoundationEssentials
import ObservationGLib

/// What an observer tells on the main queue arrives on the loop.
@MainActor func checkObserver() {
  let folder = CommandLine.arguments[2]
  let loop = Loop()
  GLibMainLoop.attachMainQueue()
  let observer = FileSystemObserver(directory: URL(filePath: folder, directoryHint: .isDirectory))
  let token = observer.addNotificationBlock(on: .main) { _, notification in
    MainActor.assumeIsolated {
      if case .didCompleteFullScan = notification { makeLetter(in: folder) }
      guard case .didChange(let changes) = notification, let change = changes.first else { return }
      print("\(change.kind) \(change.path.lastComponent?.string ?? "") on the main thread: \(isMainThread)")
      loop.quit()
    }
  }
  do { try observer.start() } catch { return print(error) }
  withExtendedLifetime(token) { loop.run() }
  observer.stop()
}

private func makeLetter(in folder: String) {
  _ = FileManager.default.createFile(atPath: folder + "/letter.txt", contents: nil)
}
