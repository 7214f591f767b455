import LinuxFileSystem
import SystemPackage

/// The thread that empties the kernel's queue, so that it does not overflow while the engine works.
final class InotifyReader: Sendable {
  let instance: InotifyInstance
  let shutdown: WakeSignal
  private let epoll: Epoll

  private static let bufferSize = 64 * 1024
  private static let eventsToken: UInt64 = 1
  private static let shutdownToken: UInt64 = 2

  init() throws(Errno) {
    instance = try InotifyInstance()
    shutdown = try WakeSignal()
    epoll = try Epoll()
    try epoll.add(instance.descriptor, token: Self.eventsToken)
    try epoll.add(shutdown.descriptor, token: Self.shutdownToken)
  }

  /// Reads until shut down. An error that reading cannot recover from is told as an overflow: the rescan will show what it is.
  func run(delivering deliver: (HintBatch) -> Void) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 8)
    defer { unsafe buffer.deallocate() }
    do {
      while try epoll.wait() == Self.eventsToken {
        var batch = HintBatch()
        _ = try unsafe instance.readEvents(into: buffer) { event in
          unsafe Self.append(event, to: &batch)
        }
        if !batch.isEmpty { deliver(batch) }
      }
    } catch {
      deliver(HintBatch(overflowed: true))
    }
  }

  private static func append(_ event: InotifyEvent, to batch: inout HintBatch) {
    if unsafe event.mask.contains(.queueOverflow) {
      batch.overflowed = true
      return
    }
    let hint = unsafe Hint(
      directory: MarkID(rawValue: event.watch.rawValue), kinds: kinds(of: event.mask), cookie: event.cookie,
      name: event.name.isEmpty ? nil : FileName(bytes: event.name))
    if let last = batch.hints.last, let merged = merge(hint, into: last) {
      batch.hints[batch.hints.count - 1] = merged
    } else {
      batch.hints.append(hint)
    }
  }

  /// Writes and closes of one file that follow each other are one hint: the probe sees the end of them anyway.
  private static func merge(_ hint: Hint, into last: Hint) -> Hint? {
    let mergeable: HintKinds = [.created, .written, .closed, .attributes]
    guard hint.directory == last.directory, hint.name == last.name,
      hint.kinds.isSubset(of: [.written, .closed, .attributes]), last.kinds.isSubset(of: mergeable)
    else { return nil }
    var merged = last
    merged.kinds.formUnion(hint.kinds)
    // A write after a close: the file is open again, and the close says nothing any more.
    if hint.kinds.contains(.written) && !hint.kinds.contains(.closed) { merged.kinds.remove(.closed) }
    return merged
  }

  private static func kinds(of mask: InotifyMask) -> HintKinds {
    let table: [(InotifyMask, HintKinds)] = [
      (.create, .created), (.delete, .removed), (.movedFrom, .movedFrom), (.movedTo, .movedTo), (.modify, .written),
      (.closeWrite, .closed), (.attribute, .attributes), (.isDirectory, .directory), (.deleteSelf, .selfRemoved),
      (.moveSelf, .selfMoved), (.unmount, .unmounted), (.ignored, .markGone),
    ]
    return table.reduce(into: HintKinds()) { kinds, entry in
      if mask.contains(entry.0) { kinds.formUnion(entry.1) }
    }
  }
}
