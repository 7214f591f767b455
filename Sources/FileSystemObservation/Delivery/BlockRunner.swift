import Dispatch
import LinuxFileSystem

/// Runs a notification block for each event of a subscription, one event at a time and in order.
final class BlockRunner: Sendable {
  typealias Block = @Sendable (FileSystemObserver.Event) -> Void

  /// The queue on which the block runs.
  enum Place: Sendable {
    /// A queue of the app.
    case queue(DispatchQueue)
    /// The observer's own threads.
    case own(OwnQueue)
  }

  /// Set on a thread that runs a block, where invalidating a token must not wait for blocks.
  private static let insideBlock = ThreadFlag()

  private struct State: Sendable {
    /// `nil` once the block must not run any more.
    var block: Block?
  }

  private let subscription: Subscription
  private let place: Place
  private let state: Mutex<State>
  private let running = DispatchGroup()

  init(_ subscription: Subscription, on place: Place, block: @escaping Block) {
    self.subscription = subscription
    self.place = place
    state = Mutex(State(block: block))
  }

  /// Begins to run the block; the subscription retains the runner.
  func begin() { subscription.onNews { self.schedule() } }

  private func schedule() { afterBlocks { self.drain() } }

  /// Calls a function on the block's queue, after the jobs queued there.
  func afterBlocks(_ body: @escaping @Sendable () -> Void) {
    switch place {
    case .queue(let queue): queue.async(execute: body)
    case .own(let queue): queue.async(body)
    }
  }

  private func drain() {
    while runNext() {}
  }

  /// Takes the next event and runs the block; returns whether there was an event.
  ///
  /// An invalidation that happens after the event is taken waits for the block.
  private func runNext() -> Bool {
    running.enter()
    defer { running.leave() }
    guard case .event(let event) = subscription.next(), let block = state.withLock({ $0.block }) else { return false }
    Self.insideBlock.whileSet { block(event) }
    return true
  }

  /// Ends the registration.
  ///
  /// When this returns, the block does not run and will not run again. In a block, on the main thread and on the main
  /// queue it does not wait, since the block may be waiting for that thread.
  func invalidate() {
    state.withLock { $0.block = nil }
    subscription.invalidate()
    if !Self.insideBlock.isSet, !NativeThread.isMain, !Self.isOnMainQueue { running.wait() }
  }

  /// In `dispatchMain()` and in an asynchronous `main`, jobs of the main queue run on any thread of Dispatch.
  private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) == true }

  private static let mainQueue: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}
