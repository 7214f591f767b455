import LinuxFileSystem

/// Whether the registration of a block is in force; a token ends it on any thread.
final class LiveRegistration: Sendable {
  private let isEnded = Mutex(false)

  var isInForce: Bool { isEnded.withLock { !$0 } }

  func end() { isEnded.withLock { $0 = true } }
}

/// The blocks of one live object, which run in its isolation.
///
/// A block may update the object. What that finds is delivered after the present call, and to each block after what it
/// has not been given yet.
final class LiveBlocks<Argument> {
  private final class Entry {
    let registration = LiveRegistration()
    let block: (Argument) -> Void
    var waiting: [Argument] = []

    init(_ block: @escaping (Argument) -> Void) {
      self.block = block
    }
  }

  private let merge: ((Argument, Argument) -> Argument)?
  private var entries: [Entry] = []
  private var isCalling = false

  /// - Parameter merge: Makes one argument of two that wait for a block; otherwise it is called for each.
  init(merging merge: ((Argument, Argument) -> Argument)? = nil) {
    self.merge = merge
  }

  /// Adds a block.
  func add(_ block: @escaping (Argument) -> Void) -> LiveRegistration {
    let entry = Entry(block)
    entries.append(entry)
    return entry.registration
  }

  /// Removes the blocks whose registration has ended; whether any are left.
  func removeEnded() -> Bool {
    entries.removeAll { !$0.registration.isInForce }
    return !entries.isEmpty
  }

  /// Calls all blocks; one that is added meanwhile is not called.
  func call(_ argument: Argument) {
    for entry in entries where entry.registration.isInForce { wait(entry, argument) }
    if isCalling { return }
    isCalling = true
    defer { isCalling = false }
    while let entry = entries.first(where: { !$0.waiting.isEmpty }) {
      let argument = entry.waiting.removeFirst()
      if entry.registration.isInForce { entry.block(argument) }
    }
  }

  private func wait(_ entry: Entry, _ argument: Argument) {
    if let merge, let last = entry.waiting.popLast() {
      entry.waiting.append(merge(last, argument))
    } else {
      entry.waiting.append(argument)
    }
  }
}
