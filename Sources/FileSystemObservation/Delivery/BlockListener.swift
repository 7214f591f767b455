import Dispatch
import LinuxFileSystem

/// A registered notification block: runs it where it wants to be run, one notification at a time, in order.
final class BlockListener: Listener, Sendable {
  typealias Block = @Sendable (ObservationNotification) -> Void

  /// Where it runs.
  enum Place: Sendable {
    /// On a queue of the app's.
    case queue(DispatchQueue)
    /// On the observer's own.
    case own(OwnQueue)
  }

  private struct State: Sendable {
    var mailbox: Mailbox
    var isScheduled = false
    var isInvalid = false
    /// Whether the engine may be kept waiting.
    var mayWait = true
  }

  /// Set on a thread that runs a block: whoever invalidates a token there must not wait for blocks.
  private static let insideBlock = ThreadFlag()

  private let place: Place
  private let block: Block
  private let takeInventory: @Sendable () -> Inventory
  private let waitsWhenFull: Bool
  private let state: Mutex<State>
  private let running = DispatchGroup()
  private let space = DispatchSemaphore(value: 0)

  init(
    on place: Place, limit: Int, waitsWhenFull: Bool, takeInventory: @escaping @Sendable () -> Inventory,
    block: @escaping Block
  ) {
    self.place = place
    self.block = block
    self.takeInventory = takeInventory
    self.waitsWhenFull = waitsWhenFull
    state = Mutex(State(mailbox: Mailbox(limit: limit)))
  }

  func post(_ notification: ObservationNotification) {
    // Only for changes: what is told in the midst of a step must not wait for one who waits for its end.
    let isChange = if case .didChange = notification { true } else { false }
    if waitsWhenFull, isChange { waitForSpace() }
    let mustSchedule = state.withLock { state -> Bool in
      guard !state.isInvalid else { return false }
      state.mailbox.put(notification)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { schedule() }
    // Changes are told at the end of a step, anything else in its midst.
    if !isChange { hurry() }
  }

  private func schedule() {
    switch place {
    case .queue(let queue): queue.async { self.drain() }
    case .own(let queue): queue.async { self.drain() }
    }
  }

  private func hurry() {
    if case .own(let queue) = place { queue.hurry() }
  }

  /// The engine waits, and with it the kernel's queue: if that overflows, a rescan makes up for it.
  private func waitForSpace() {
    while state.withLock({ $0.mailbox.isFull && !$0.isInvalid && $0.mayWait }) {
      hurry()
      space.wait()
    }
  }

  private func drain() {
    while let item = next() {
      switch item {
      case .notification(let notification): run(notification)
      case .rescan:
        let inventory = takeInventory()
        state.withLock { $0.mailbox.discard(through: inventory.sequence) }
        run(.mustRescan(inventory))
      }
      running.leave()
      if waitsWhenFull { space.signal() }
    }
  }

  /// The next item; from here to `running.leave()` whoever invalidates waits.
  private func next() -> Mailbox.Item? {
    state.withLock { state in
      guard !state.isInvalid, let item = state.mailbox.take() else {
        state.isScheduled = false
        return nil
      }
      running.enter()
      return item
    }
  }

  private func run(_ notification: ObservationNotification) {
    guard !state.withLock({ $0.isInvalid }) else { return }
    Self.insideBlock.whileSet { block(notification) }
  }

  /// When this returns, the block does not run any more and will not again.
  func invalidate() {
    state.withLock { state in
      state.isInvalid = true
      state.mailbox.clear()
    }
    space.signal()
    if !Self.insideBlock.isSet { running.wait() }
  }

  /// A block is told of the next run, too.
  func endObservation() {}

  func allowWaiting(_ allowed: Bool) {
    state.withLock { $0.mayWait = allowed }
    space.signal()
  }
}
