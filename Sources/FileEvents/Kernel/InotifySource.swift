package import LinuxFileSystem
package import SystemPackage

/// Hints from inotify(7), with one watch for each directory.
package final class InotifySource: EventSource {
  private let reader: QueueReader<InotifyInstance>
  private let sequencer: HintSequencer

  /// - Parameters:
  ///   - sequencer: Numbers the hints, together with those of other sources.
  ///   - wait: Another waiter for the events, which the kernel wakes first.
  /// - Throws: EMFILE if the user has too many inotify instances or the process too many descriptors.
  init(_ sequencer: HintSequencer, _ wait: EventWait?) throws(Errno) {
    self.sequencer = sequencer
    reader = try QueueReader(InotifyInstance(), sequencer, wait)
  }

  package convenience init() throws(Errno) {
    try self.init(HintSequencer(), nil)
  }

  deinit {
    stop()
  }

  package func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno) {
    sequencer.deliver(to: deliver)
    try start()
  }

  /// Starts to send hints to the sequencer.
  func start() throws(Errno) { try reader.start(named: "fso-inotify") }

  package func stop() { reader.stop() }

  package func deliverPending() { reader.readAll() }

  package var delivered: UInt64 { sequencer.delivered }

  package func mark(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID {
    if directory.mountGuard == nil { return try markNow(directory, for: scope) }
    return try directory.guarded { [self] () throws(Errno) in try markNow(directory, for: scope) }
  }

  private func markNow(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID {
    let watch = try reader.queue.watch(directory.descriptor, for: scope.inotifyMask)
    let mark = MarkID(rawValue: watch.rawValue)
    guard let mount = MountNumber.of(directory.descriptor) else { return mark }
    return reader.add(on: mount) { _, _ in (mark, nil) }.mark
  }

  package func unmark(_ mark: MarkID, of directory: DirectoryHandle?) {
    reader.queue.removeWatch(WatchNumber(rawValue: mark.rawValue))
    reader.forget(mark)
  }
}

extension MarkScope {
  /// The events of a watch.
  package var inotifyMask: InotifyMask {
    switch self {
    case .entries: Self.structure.union(.attribute)
    case .entriesToTag, .entriesWithoutAttributes: Self.structure
    case .departures: [.delete, .movedFrom, .moveSelf, .onlyDirectory]
    case .itself: [.moveSelf, .onlyDirectory]
    }
  }

  private static let structure: InotifyMask = [
    .create, .delete, .movedFrom, .movedTo, .modify, .closeWrite, .deleteSelf, .moveSelf, .onlyDirectory,
    .excludeUnlinked,
  ]
}
