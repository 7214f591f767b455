package import FileEvents
package import LinuxFileSystem
package import SystemPackage

/// The sources of events that can be simulated.
package enum SimulatedSource: String, CaseIterable, Sendable, Codable {
  case inotify, fanotify, polling
  /// The kernel's, with room for few directories: the others are polled.
  case fewWatches, fewMarks

  /// Whether some directories are looked at now and then, instead of being told of.
  var polls: Bool { self == .polling || isLimited }
  var isLimited: Bool { self == .fewWatches || self == .fewMarks }
  fileprivate var usesInotify: Bool { self == .inotify || self == .fewWatches }
  fileprivate var usesFanotify: Bool { self == .fanotify || self == .fewMarks }
}

/// Hints from a queue of the simulated machine.
///
/// Nothing is delivered until the simulation asks for it.
package final class SimulatedEventSource: EventSource, @unchecked Sendable {
  package typealias Directory = SimulatedDirectory

  private let disk: SimulatedDisk
  private let files: SimulatedFileSystem
  private let kind: SimulatedSource
  /// Whose tags its process writes.
  private let process: Int
  /// The number of the queue, among those of its kind.
  private let queue: Int
  private var watched: [MarkID: Inode] = [:]
  private var translator = FanotifyTranslator()
  /// What was taken out of the kernel's queue and waits for the engine.
  private var inbox = HintBatch()
  private var inboxTime: Int64 = 0
  private let poller: SimulatedPoller
  /// How many directories the kernel has room for.
  private let room: Int

  package init(_ kind: SimulatedSource, _ files: SimulatedFileSystem, process: Int, capacity: Int, room: Int = .max) {
    self.kind = kind
    self.files = files
    self.process = process
    self.room = room
    disk = files.disk
    poller = SimulatedPoller(files)
    if kind.usesInotify {
      queue = disk.queues.count
      disk.queues.append(EventQueue(capacity: capacity))
    } else if kind.usesFanotify {
      queue = disk.groups.count
      disk.groups.append(RecordQueue(capacity: capacity))
    } else {
      queue = 0
    }
  }

  package func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno) {}
  package func stop() {}

  package func mark(_ directory: SimulatedDirectory, for scope: MarkScope) throws(Errno) -> MarkID {
    if let fault = files.interlude(.mark) { throw fault }
    guard let mark = markInKernel(directory, for: scope) else {
      return try poller.mark(directory, for: scope.whereMarksCanBeNarrowed, wantsMark: kind.isLimited)
    }
    if kind.isLimited { poller.unmark(directory) }
    return mark
  }

  /// The kernel's mark of a directory, where there is room for it.
  private func markInKernel(_ directory: SimulatedDirectory, for wanted: MarkScope) -> MarkID? {
    let scope = kind.usesInotify ? wanted : wanted.whereMarksCanBeNarrowed
    let inode = directory.inode
    guard kind != .polling, isMarked(inode) || room == .max || watched.values.count(where: isMarked) < room else {
      return nil
    }
    let mark: MarkID
    if kind.usesInotify {
      mark = MarkID(rawValue: disk.watch(inode, queue: queue, scope.inotifyMask))
    } else {
      mark = translator.directories.insert(inode.handle, inode: inode.number, for: scope)
      disk.mark(inode, group: queue, scope.fanotifyMask)
      if scope == .entries, translator.directories.takeChange(of: inode.handle.handle) { tellChange(of: mark) }
    }
    watched[mark] = inode
    return mark
  }

  private func isMarked(_ inode: Inode) -> Bool {
    kind.usesInotify
      ? inode.watches.contains { $0.queue == queue } : inode.marks.contains { $0.group == queue }
  }

  private func tellChange(of mark: MarkID) {
    if inbox.isEmpty { inboxTime = disk.now }
    inbox.hints.append(Hint(directory: mark, kinds: [.attributes, .directory]))
    inbox.next = inbox.first + UInt64(inbox.hints.count)
  }

  package func recognize(_ directory: SimulatedDirectory) -> MarkID? {
    guard kind.usesFanotify else { return nil }
    let mark = translator.directories.insert(directory.inode.handle, inode: directory.inode.number, for: .entries)
    watched[mark] = directory.inode
    if translator.directories.takeChange(of: directory.inode.handle.handle) { tellChange(of: mark) }
    return mark
  }

  package func unmark(_ mark: MarkID, of directory: SimulatedDirectory?) {
    let known = mark.isOfPolling ? poller.unmark(mark) : mark
    guard let mark = known, let inode = watched.removeValue(forKey: mark) else { return }
    if kind.usesInotify {
      if inode.watches.contains(where: { $0.queue == queue && $0.number == mark.rawValue }) {
        disk.unwatch(inode, queue: queue)
      }
    } else {
      translator.directories.remove(mark)
      if let directory { disk.unmark(directory.inode, group: queue) }
    }
  }

  /// The process has ended: its marks and what waits for it are gone.
  package func close() {
    for inode in watched.values {
      if kind.usesInotify { inode.watches.removeAll { $0.queue == queue } } else { disk.unmark(inode, group: queue) }
    }
    watched = [:]
    inbox = HintBatch()
    if kind.usesInotify { disk.queues[queue].close() }
    if kind.usesFanotify { disk.groups[queue].close() }
    poller.close()
  }

  private var oldestQueued: Int64? {
    if kind.usesInotify { return disk.queues[queue].oldest }
    return kind.usesFanotify ? disk.groups[queue].oldest : nil
  }

  private var queuedCount: Int {
    let isDue = kind.polls && poller.isDue ? 1 : 0
    if kind.usesInotify { return disk.queues[queue].count + isDue }
    return kind.usesFanotify ? disk.groups[queue].count + isDue : isDue
  }

  /// When the event happened that has waited longest.
  package var oldest: Int64? { inbox.hints.isEmpty ? oldestQueued : inboxTime }

  /// How many events and hints wait.
  package var pendingCount: Int { inbox.hints.count + (inbox.overflowed ? 1 : 0) + queuedCount }

  package var delivered: UInt64 { inbox.next }

  /// How many directories it tells of.
  package var markCount: Int { watched.count + poller.count }

  package func horizon(since moment: MonotonicTime) -> UInt64? {
    kind.polls ? poller.horizon(since: moment) : 0
  }

  /// When it looks again by itself, unless it has seen everything that happened up to a moment.
  package func nextPass(toSee moment: Int64) -> MonotonicTime? {
    kind.polls ? poller.nextPass(toSee: moment) : nil
  }

  /// Whether there are hints of a directory that the engine has not been given.
  package func hasPending(_ mark: MarkID) -> Bool { inbox.hints.contains { $0.directory == mark } }
}

// MARK: - Reading

extension SimulatedEventSource {
  /// Takes whatever the kernel has queued to where the engine will take it from.
  ///
  /// What only looking would show is not looked at.
  package func deliverPending() {
    if kind != .polling { fill(upTo: .max, looks: false) }
  }

  /// Makes hints of the first events, as the reader of the real source does, and takes all that are made.
  package func read(upTo limit: Int) -> HintBatch {
    fill(upTo: limit)
    defer { inbox = HintBatch(first: inbox.next) }
    return inbox
  }

  private func fill(upTo limit: Int, looks: Bool = true) {
    if inbox.isEmpty { inboxTime = oldestQueued ?? disk.now }
    if looks, kind.polls { look() }
    for _ in 0..<limit {
      guard appendNext() else { break }
    }
    inbox.next = inbox.first + UInt64(inbox.hints.count)
  }

  private func look() {
    poller.look {
      self.markInKernel($0, for: $1)
    } deliver: {
      self.inbox.hints += $0
      return self.inbox.first + UInt64(self.inbox.hints.count)
    }
  }

  /// Makes hints of the next event, if there is one.
  private func appendNext() -> Bool {
    if kind.usesInotify {
      guard let event = disk.queues[queue].popFirst() else { return false }
      if event.mask.contains(.ignored) { watched[MarkID(rawValue: event.watch)] = nil }
      append(event)
    } else if kind.usesFanotify {
      guard let record = disk.groups[queue].popFirst() else {
        translator.queueWasEmpty()
        return false
      }
      append(record)
    } else {
      return false
    }
    return true
  }

  private func append(_ event: QueuedEvent) {
    var name = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    if let number = event.name { unsafe name = disk.names.view(number).bytes }
    let told = unsafe InotifyEvent(
      watch: WatchNumber(rawValue: event.watch), mask: event.mask, cookie: event.cookie, name: name)
    unsafe InotifyTranslator.append(told, to: &inbox)
  }

  private func append(_ record: QueuedRecord) {
    let told = unsafe FanotifyEvent(
      mask: record.mask, isOwn: record.process == process, place: record.place.map(place), old: record.old.map(place),
      new: record.new.map(place), file: record.file?.handle)
    unsafe translator.append(told, to: &inbox)
  }

  private func place(_ place: QueuedRecord.Place) -> FanotifyEvent.Place {
    let name = place.name ?? disk.names.number(".")
    return unsafe FanotifyEvent.Place(directory: place.directory.handle, name: disk.names.view(name).bytes)
  }
}
