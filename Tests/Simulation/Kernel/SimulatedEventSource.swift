package import FileEvents
import LinuxFileSystem
package import SystemPackage

/// Hints from a queue of the simulated machine.
///
/// Nothing is delivered until the simulation asks for it.
package final class SimulatedEventSource: EventSource, @unchecked Sendable {
  package typealias Directory = SimulatedDirectory

  private let disk: SimulatedDisk
  private let files: SimulatedFileSystem
  private let queue: Int
  private var watched: [MarkID: Inode] = [:]
  /// What was taken out of the kernel's queue and waits for the engine.
  private var inbox = HintBatch()
  private var inboxTime: Int64 = 0

  package init(_ files: SimulatedFileSystem, capacity: Int) {
    self.files = files
    disk = files.disk
    queue = disk.queues.count
    disk.queues.append(EventQueue(capacity: capacity))
  }

  package func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno) {}
  package func stop() {}

  package func mark(_ directory: SimulatedDirectory, for scope: MarkScope) throws(Errno) -> MarkID {
    if let fault = files.interlude(.mark) { throw fault }
    let mark = MarkID(rawValue: disk.watch(directory.inode, queue: queue, scope.inotifyMask))
    watched[mark] = directory.inode
    return mark
  }

  package func unmark(_ mark: MarkID) {
    guard let inode = watched.removeValue(forKey: mark) else { return }
    if inode.watches.contains(where: { $0.queue == queue && $0.number == mark.rawValue }) {
      disk.unwatch(inode, queue: queue)
    }
  }

  /// The process has ended: its marks and what waits for it are gone.
  package func close() {
    for inode in watched.values { inode.watches.removeAll { $0.queue == queue } }
    watched = [:]
    inbox = HintBatch()
    disk.queues[queue].close()
  }

  /// When the event happened that has waited longest.
  package var oldest: Int64? { inbox.hints.isEmpty ? disk.queues[queue].oldest : inboxTime }

  /// How many events and hints wait.
  package var pendingCount: Int { inbox.hints.count + (inbox.overflowed ? 1 : 0) + disk.queues[queue].count }

  /// Takes whatever the kernel has queued to where the engine will take it from.
  package func deliverPending() { fill(upTo: .max) }

  private func fill(upTo limit: Int) {
    if inbox.isEmpty { inboxTime = disk.queues[queue].oldest ?? 0 }
    for _ in 0..<limit {
      guard let event = disk.queues[queue].popFirst() else { break }
      if event.mask.contains(.ignored) { watched[MarkID(rawValue: event.watch)] = nil }
      append(event, to: &inbox)
    }
    inbox.next = inbox.first + UInt64(inbox.hints.count)
  }

  package var delivered: UInt64 { inbox.next }

  /// Whether there are hints of a directory that the engine has not been given.
  package func hasPending(_ mark: MarkID) -> Bool { inbox.hints.contains { $0.directory == mark } }

  /// Makes hints of the first events, as the reader of the real source does, and takes all that are made.
  package func read(upTo limit: Int) -> HintBatch {
    fill(upTo: limit)
    defer { inbox = HintBatch(first: inbox.next) }
    return inbox
  }

  private func append(_ event: QueuedEvent, to batch: inout HintBatch) {
    var name = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    if let number = event.name { unsafe name = disk.names.view(number).bytes }
    let told = unsafe InotifyEvent(
      watch: WatchNumber(rawValue: event.watch), mask: event.mask, cookie: event.cookie, name: name)
    unsafe InotifyReader.append(told, to: &batch)
  }
}
