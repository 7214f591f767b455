import LinuxFileSystem
import SystemPackage

/// Empties a queue of the kernel, on a thread of its own and on request, and sends the hints.
///
/// The thread keeps the queue from overflowing while the engine works, and leaves the kernel little time to merge
/// events.
final class QueueReader<Queue: KernelQueue & ~Copyable>: Sendable {
  let queue: Queue
  private let sequencer: HintSequencer
  private let shutdown: WakeSignal
  private let mountChanges: MountChanges
  private let epoll: Epoll
  private let thread = SourceThread()
  private let wait: EventWait?
  private let state = Mutex(State())

  private struct State {
    let buffer = EventBuffer()
    var roots = MountRoots()
    var translator = Queue.Translator()
    var pace = ReadingPace()
  }

  /// The limit of one drain, far above a full queue: events may come faster than they are read.
  private static var maximumBuffers: Int { 8192 }
  private static var eventsToken: UInt64 { 1 }
  private static var shutdownToken: UInt64 { 2 }
  private static var mountsToken: UInt64 { 3 }

  /// - Parameter wait: Another waiter for the events, which the kernel wakes first.
  init(_ queue: consuming Queue, _ sequencer: HintSequencer, _ wait: EventWait?) throws(Errno) {
    self.queue = queue
    self.sequencer = sequencer
    self.wait = wait
    shutdown = try WakeSignal()
    epoll = try Epoll()
    mountChanges = try MountChanges()
    if let wait { try self.queue.withDescriptor { (descriptor) throws(Errno) in try wait.add(descriptor) } }
    try self.queue.withDescriptor { (descriptor) throws(Errno) in
      try epoll.addExclusively(descriptor, token: Self.eventsToken)
    }
    try epoll.add(shutdown.descriptor, token: Self.shutdownToken)
    try epoll.addChanges(of: mountChanges.descriptor, token: Self.mountsToken)
  }

  /// Starts the thread, which may be started again after `stop()`.
  func start(named name: String) throws(Errno) {
    // The signal of an earlier `stop()` would end the new thread at once.
    shutdown.clear()
    try thread.start(named: name) { self.run() }
  }

  /// Ends the thread, and waits for its end.
  ///
  /// Several threads may call this.
  func stop() {
    shutdown.send()
    thread.join()
  }

  /// Reads, on the calling thread, whatever is in the queue.
  ///
  /// The thread of the reader meets the same error, and reports it.
  func readAll() {
    _ = try? drain()
  }

  /// Reads until shutdown.
  ///
  /// An error that cannot be recovered from becomes an overflow: the rescan will show it.
  private func run() {
    do {
      while true {
        switch try epoll.wait() {
        case Self.eventsToken:
          let rest = try drain() ? Queue.rest.inBurst : Queue.rest.usual
          if rest > 0, shutdown.wait(nanoseconds: rest) { return }
        case Self.mountsToken: sendMountChanges()
        case Self.shutdownToken: return
        default: break
        }
      }
    } catch {
      state.withLock { _ in sequencer.send(HintBatch(overflowed: true)) }
    }
  }

  /// Reads until the queue was empty; whether there is a burst.
  ///
  /// In a burst the reader's thread alone reads, so that the engine does not wake for each event.
  private func drain() throws(Errno) -> Bool {
    var isBurst = false
    for _ in 0..<Self.maximumBuffers {
      let mayBeMore: Bool
      (isBurst, mayBeMore) = try read()
      if !mayBeMore { break }
    }
    if isBurst { wait?.leaveToReaders(until: .now + ReadingPace.span) }
    return isBurst
  }

  /// Reads one buffer, and sends it before any other thread may read: this keeps the kernel's order.
  private func read() throws(Errno) -> (isBurst: Bool, mayBeMore: Bool) {
    try state.withLock { (state) throws(Errno) -> (Bool, Bool) in
      var batch = HintBatch()
      let (count, mayBeMore) = unsafe try queue.read(into: state.buffer.bytes, &state.translator, &batch)
      sequencer.send(batch)
      return (state.pace.note(count, at: .now), mayBeMore)
    }
  }
}

// MARK: - Marks

extension QueueReader where Queue: ~Copyable {
  /// Reads or changes what the translator remembers.
  func withTranslator<Result: Sendable>(_ body: (inout Queue.Translator) -> Result) -> Result {
    state.withLock { body(&$0.translator) }
  }

  /// Adds a mark with `insert`, which gets the table of mounts where the mount was not known.
  ///
  /// - Returns: The mark, and the scope that it had.
  func add(
    on mount: MountNumber, _ insert: @Sendable (inout Queue.Translator, MountTable?) -> (MarkID, former: MarkScope?)
  ) -> (mark: MarkID, former: MarkScope?) {
    state.withLock { state in
      let isFirst = state.roots.isNew(mount)
      let table = isFirst || state.translator.isNew(mount) ? MountTable() : nil
      let (mark, former) = insert(&state.translator, table)
      if isFirst, let table { state.roots.note(mark, on: mount, in: table) }
      return (mark, former)
    }
  }

  /// Sends the hints that `make` returns, before any event that is read later.
  func send(_ make: (inout Queue.Translator) -> [Hint]) {
    state.withLock { state in sequencer.send(HintBatch(hints: make(&state.translator))) }
  }

  func forget(_ mark: MarkID) {
    state.withLock { state in
      state.translator.forget(mark)
      state.roots.forget(mark)
    }
  }

  /// Sends a hint for each directory that may have been unmounted or covered: the kernel reports neither reliably.
  private func sendMountChanges() {
    guard let table = MountTable() else { return }
    state.withLock { state in
      let marks = state.translator.takeUnmounted(table) + state.roots.marksToCheck(table)
      sequencer.send(HintBatch(hints: marks.map { Hint(directory: $0, kinds: .unmounted) }))
    }
  }
}

/// The memory into which a reader reads events.
@safe private final class EventBuffer {
  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 8)

  deinit {
    unsafe bytes.deallocate()
  }
}
