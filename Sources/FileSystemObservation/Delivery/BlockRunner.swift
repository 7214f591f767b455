import Dispatch
import LinuxFileSystem

/// Runs a notification block for each event of a subscription where it wants to be run: one event at a time, in order.
final class BlockRunner: Sendable {
  typealias Block = @Sendable (FileSystemObserver.Event) -> Void

  /// Where the block runs.
  enum Place: Sendable {
    /// On a queue of the app's.
    case queue(DispatchQueue)
    /// On the observer's own threads.
    case own(OwnQueue)
  }

  /// Set on a thread that runs a block: whoever invalidates a token there must not wait for blocks.
  private static let insideBlock = ThreadFlag()

  private struct State: Sendable {
    /// Nothing once it must not run any more.
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

  /// Begins to run the block.
  ///
  /// The runner lives as long as the subscription.
  func begin() { subscription.onNews { self.schedule() } }

  private func schedule() { afterBlocks { self.drain() } }

  /// Calls something where the block runs, after what waits to be run there.
  func afterBlocks(_ body: @escaping @Sendable () -> Void) {
    switch place {
    case .queue(let queue): queue.async(execute: body)
    case .own(let queue): queue.async(body)
    }
  }

  private func drain() {
    while runNext() {}
  }

  /// Takes the next event and runs the block; whether there was one.
  ///
  /// From taking the event on, whoever invalidates waits.
  private func runNext() -> Bool {
    running.enter()
    defer { running.leave() }
    guard case .event(let event) = subscription.next(), let block = state.withLock({ $0.block }) else { return false }
    Self.insideBlock.whileSet { block(event) }
    return true
  }

  /// Ends the notifications.
  ///
  /// When this returns, the block does not run any more and will not again: except on the main thread and the main
  /// queue, for which the block may wait, and in a block.
  func invalidate() {
    state.withLock { $0.block = nil }
    subscription.invalidate()
    if !Self.insideBlock.isSet, !NativeThread.isMain, !Self.isOnMainQueue { running.wait() }
  }

  /// In `dispatchMain()` and in an asynchronous `main`, what belongs to the main thread runs on any thread of Dispatch.
  private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) == true }

  private static let mainQueue: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}
