import BrowserModel
import FileSystemObservation
import Foundation
import SystemPackage

/// The app without its window.
@MainActor final class AppRun {
  let state: BrowserState
  let observer: FileSystemObserver
  let activity: ActivityFeed
  let limits = LimitWatch()
  private let follower: FolderFollower
  private var waiting: CheckedContinuation<Void, Never>?
  private var isScanned = false

  init(state path: FilePath, folder: FilePath) throws {
    state = try BrowserState(in: path)
    let known = try state.open(folder)
    observer = state.makeObserver(of: known)
    activity = ActivityFeed(of: folder)
    follower = FolderFollower(observer, of: known, state: state, activity: activity, limits: limits)
  }

  var sentences: [String] { activity.entries.map { "\($0.title) \($0.detail)" } }

  /// Starts the observer, and returns when the scan was taken.
  func start() async throws {
    activity.onChange = { [weak self] _ in self?.wake() }
    follower.onEvent = { [weak self] event in
      if case .didCompleteFullScan = event { self?.isScanned = true }
      self?.wake()
    }
    follower.begin()
    try await observer.start()
    while !isScanned { await news() }
  }

  func stop() async {
    await observer.synchronize()
    follower.stop()
    await observer.stop()
    state.close()
  }

  /// Waits until the sentences are as they should be; the time limit of the suite ends it.
  func waitFor(_ condition: ([String]) -> Bool) async throws {
    while !condition(sentences) { await news() }
  }

  private func news() async { await withCheckedContinuation { waiting = $0 } }

  private func wake() {
    waiting?.resume()
    waiting = nil
  }

  /// Copies a file and its attributes, as another program does.
  func copyWithTag(_ old: String, _ new: String, in folder: FilePath) throws {
    let copying = Process()
    copying.executableURL = URL(fileURLWithPath: "/bin/cp")
    copying.arguments = ["-a", folder.appending(old).string, folder.appending(new).string]
    try copying.run()
    copying.waitUntilExit()
  }
}
