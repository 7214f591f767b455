import Dispatch
import SystemPackage
import Testing

@testable import FileSystemObservation

/// A block is called the same way for the millionth event as for the first.
struct BlockRunnerTests {
  private static let count = 20_000

  private func runEvents(on place: BlockRunner.Place) {
    let subscription = Subscription(
      Subscription.Terms(), Subscription.Sources { _ in FileSystemSnapshot(directory: "/") })
    let handled = DispatchSemaphore(value: 0)
    let runner = BlockRunner(subscription, on: place) { _ in handled.signal() }
    runner.begin()
    let progress = FileSystemObserver.ScanProgress(reason: .start, itemCount: 1, awaitedDirectoryCount: 1)
    for _ in 0..<Self.count {
      subscription.post(.scanProgress(progress), hurry: {})
      handled.wait()
    }
    runner.invalidate()
  }

  @Test func onAQueueOfTheApps() { runEvents(on: .queue(DispatchQueue(label: "test"))) }

  @Test func onTheObserversOwn() { runEvents(on: .own(OwnQueue())) }
}
