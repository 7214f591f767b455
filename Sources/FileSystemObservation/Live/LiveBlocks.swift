import LinuxFileSystem

/// Whether the registration of a block is in force; a token ends it on any thread.
final class LiveRegistration: Sendable {
  private let isEnded = Mutex(false)

  var isInForce: Bool { isEnded.withLock { !$0 } }

  func end() { isEnded.withLock { $0 = true } }
}

/// The blocks of one live object, which run in its isolation.
struct LiveBlocks<Argument> {
  private var blocks: [(registration: LiveRegistration, block: (Argument) -> Void)] = []

  /// Adds a block.
  mutating func add(_ block: @escaping (Argument) -> Void) -> LiveRegistration {
    let registration = LiveRegistration()
    blocks.append((registration, block))
    return registration
  }

  /// Removes the blocks whose registration has ended; whether any are left.
  mutating func removeEnded() -> Bool {
    blocks.removeAll { !$0.registration.isInForce }
    return !blocks.isEmpty
  }

  /// Calls all blocks; one that is added meanwhile is not called.
  func call(_ argument: Argument) {
    for (registration, block) in blocks where registration.isInForce { block(argument) }
  }
}
