package import LinuxFileSystem
import SystemPackage

/// The thread that empties the kernel's queue, so that it does not overflow while the engine works.
package final class InotifyReader: Sendable {
  let instance: InotifyInstance
  let shutdown: WakeSignal
  private let mountChanges: MountChanges
  private let epoll: Epoll
  private let state = Mutex(State())

  private struct State {
    let buffer = EventBuffer()
    var delivery = HintDelivery()
    var tops = MountTops()
  }

  /// More than a queue of the kernel's default length can hold, with the longest names.
  private static let buffersPerQueue = 1_200
  private static let eventsToken: UInt64 = 1
  private static let shutdownToken: UInt64 = 2
  private static let mountsToken: UInt64 = 3

  /// - Parameter wait: Of whom else waits for the events, and comes first.
  init(_ wait: EventWait?) throws(Errno) {
    instance = try InotifyInstance()
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
        case Self.eventsToken: _ = try read()
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
    for _ in 0..<Self.buffersPerQueue {
      guard let mayBeMore = try? read(), mayBeMore else { return }
    }
  }

  /// Reads a buffer full, and delivers it before anyone else may read, for the order is the kernel's; whether there may
  /// be more.
  private func read() throws(Errno) -> Bool {
    try state.withLock { (state) throws(Errno) -> Bool in
      var batch = HintBatch()
      let mayBeMore = try unsafe instance.readEvents(into: state.buffer.bytes) { event in
        unsafe Self.append(event, to: &batch)
      }
      state.delivery.deliver(batch)
      return mayBeMore
    }
  }

  /// Takes note of a directory, should it be the first on its mount.
  func note(_ mark: MarkID, on mount: MountNumber) {
    state.withLock { state in
      guard state.tops.isNew(mount), let table = MountTable() else { return }
      state.tops.note(mark, on: mount, in: table)
    }
  }

  func forget(_ mark: MarkID) {
    state.withLock { $0.tops.forget(mark) }
  }

  private func tellOfMounts() {
    guard let table = MountTable() else { return }
    state.withLock { state in
      let hints = state.tops.marksToCheck(table).map { Hint(directory: $0, kinds: .unmounted) }
      state.delivery.deliver(HintBatch(hints: hints))
    }
  }

  /// Makes hints of one event, and merges those that say nothing new.
  package static func append(_ event: InotifyEvent, to batch: inout HintBatch) {
    if unsafe event.mask.contains(.queueOverflow) {
      return batch.noteLoss()
    }
    let directory = unsafe MarkID(rawValue: event.watch.rawValue)
    let kinds = unsafe kinds(of: event.mask)
    if unsafe batch.extendLast(directory, kinds, [], event.name, nil) { return }
    let name = unsafe event.name.isEmpty ? nil : FileName(bytes: event.name)
    unsafe batch.hints.append(Hint(directory: directory, kinds: kinds, cookie: event.cookie, name: name))
  }

  private static let meanings: [(bit: InotifyMask, kind: HintKinds)] = [
    (.create, .created), (.delete, .removed), (.movedFrom, .movedFrom), (.movedTo, .movedTo), (.modify, .written),
    (.closeWrite, .closed), (.attribute, .attributes), (.isDirectory, .directory), (.deleteSelf, .selfRemoved),
    (.moveSelf, .selfMoved), (.unmount, .unmounted), (.ignored, .markGone),
  ]

  private static func kinds(of mask: InotifyMask) -> HintKinds {
    var kinds = HintKinds()
    for meaning in meanings where mask.contains(meaning.bit) { kinds.formUnion(meaning.kind) }
    return kinds
  }
}
