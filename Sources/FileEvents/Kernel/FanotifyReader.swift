import LinuxFileSystem
import SystemPackage

/// The thread that empties the kernel's queue, so that it does not overflow while the engine works, and little is
/// merged.
final class FanotifyReader: Sendable {
  let instance: FanotifyInstance
  let shutdown: WakeSignal
  private let mountChanges: MountChanges
  private let epoll: Epoll
  private let state = Mutex(State())

  private struct State {
    let buffer = EventBuffer()
    var delivery = HintDelivery()
    var directories = MarkedDirectories()
    var tops = MountTops()
    var translator = FanotifyTranslator()
  }

  /// So much is read in one go at most: events may come faster than they are read.
  private static let buffersAtOnce = 8192
  private static let eventsToken: UInt64 = 1
  private static let shutdownToken: UInt64 = 2
  private static let mountsToken: UInt64 = 3

  /// - Parameter wait: Of whom else waits for the events, and comes first.
  init(usingPrivilege wantsPrivilege: Bool, _ wait: EventWait?) throws(Errno) {
    instance = try FanotifyInstance(usingPrivilege: wantsPrivilege)
    shutdown = try WakeSignal()
    epoll = try Epoll()
    try wait?.add(instance.descriptor)
    try epoll.addExclusively(instance.descriptor, token: Self.eventsToken)
    try epoll.add(shutdown.descriptor, token: Self.shutdownToken)
    mountChanges = try MountChanges()
    try epoll.addChanges(of: mountChanges.descriptor, token: Self.mountsToken)
  }

  func deliver(to handler: @escaping @Sendable (HintBatch) -> Void) {
    state.withLock { $0.delivery.handler = handler }
  }

  /// How many hints have been delivered.
  var delivered: UInt64 { state.withLock { $0.delivery.count } }

  /// Reads until shut down.
  ///
  /// An error that reading cannot recover from is told as an overflow: the rescan will show what it is.
  func run() {
    do {
      while true {
        switch try epoll.wait() {
        case Self.eventsToken: try drain()
        case Self.mountsToken: tellOfMounts()
        case Self.shutdownToken: return
        default: break
        }
      }
    } catch {
      state.withLock { $0.delivery.deliver(HintBatch(overflowed: true)) }
    }
  }

  /// Reads, on the calling thread, whatever is in the queue.
  func readAll() {
    try? drain()
  }

  /// Reads until the queue is seen empty.
  private func drain() throws(Errno) {
    for _ in 0..<Self.buffersAtOnce {
      if try !read() { return }
    }
  }

  /// Reads a buffer full, and delivers it before anyone else may read, for the order is the kernel's; whether there may
  /// be more.
  ///
  /// When the queue is empty, nothing can be merged any more into what was read. A rename to or from a name of more
  /// than 255 bytes cannot be told by the kernel, which drops all that was read with it (EFAULT): that is a loss like
  /// any other.
  private func read() throws(Errno) -> Bool {
    try state.withLock { (state) throws(Errno) -> Bool in
      var batch = HintBatch()
      var mayBeMore = true
      do throws(Errno) {
        mayBeMore = try unsafe instance.readEvents(into: state.buffer.bytes) { event in
          unsafe state.translator.append(event, &state.directories, to: &batch)
        }
      } catch {
        guard error == .badAddress else { throw error }
        state.translator.eventsWereLost()
        batch.noteLoss()
      }
      if !mayBeMore { state.translator.queueWasEmpty() }
      state.delivery.deliver(batch)
      return mayBeMore
    }
  }
}

// MARK: - Directories

extension FanotifyReader {
  /// What is wanted of a directory, nothing where it is not known; and whether its inode number would help to read
  /// handles.
  func knowledge(of directory: KernelHandle) -> (scope: MarkScope?, wantsInode: Bool) {
    state.withLock { state in
      (state.directories[directory.handle]?.scope, state.directories.wantsInode(of: directory))
    }
  }

  /// Takes note of a directory; its number, and whether it was known.
  func insert(
    _ directory: KernelHandle, on mount: MountNumber, inode: UInt64?, for scope: MarkScope
  ) -> (mark: MarkID, former: MarkScope?) {
    state.withLock { state in
      let former = state.directories[directory.handle]?.scope
      let isNew = state.directories.isNew(mount) || state.tops.isNew(mount)
      let table = isNew ? MountTable() : nil
      if let table { state.directories.note(mount, in: table) }
      let mark = state.directories.insert(directory, on: mount, inode: inode, for: scope)
      if let table, state.tops.isNew(mount) { state.tops.note(mark, on: mount, in: table) }
      return (mark, former)
    }
  }

  /// The kernel says nothing of marks that it lets go of with a file system.
  private func tellOfMounts() {
    guard let table = MountTable() else { return }
    state.withLock { state in
      let marks = state.directories.takeUnmounted(table) + state.tops.marksToCheck(table)
      state.delivery.deliver(HintBatch(hints: marks.map { Hint(directory: $0, kinds: .unmounted) }))
    }
  }

  /// Hints at a change of attributes that came before the directory was known.
  func tellEarlierChange(of directory: KernelHandle, _ mark: MarkID) {
    state.withLock { state in
      guard state.directories.takeChange(of: directory.handle) else { return }
      state.delivery.deliver(HintBatch(hints: [Hint(directory: mark, kinds: [.attributes, .directory])]))
    }
  }

  func remove(_ mark: MarkID) {
    state.withLock { state in
      state.directories.remove(mark)
      state.tops.forget(mark)
    }
  }
}
