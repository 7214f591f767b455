package import LinuxFileSystem
package import SystemPackage

/// Hints from inotify(7): one watch a directory, read by a thread of its own.
package final class InotifySource: EventSource {
  private let reader: InotifyReader
  private let thread = SourceThread()

  /// - Throws: EMFILE where the user has too many inotify instances or the process too many descriptors.
  package init(_ wait: EventWait? = nil) throws(Errno) {
    reader = try InotifyReader(wait)
  }

  deinit {
    stop()
  }

  package func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno) {
    let reader = reader
    // The signal of an earlier `stop()` would end the new thread at once.
    reader.shutdown.clear()
    reader.deliver(to: deliver)
    try thread.start(named: "fso-inotify") { reader.run() }
  }

  package func mark(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID {
    if directory.mountGuard == nil { return try markNow(directory, for: scope) }
    return try directory.guarded { [self] () throws(Errno) in try markNow(directory, for: scope) }
  }

  private func markNow(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID {
    let watch = try reader.instance.watch(directory.descriptor, for: scope.inotifyMask)
    let mark = MarkID(rawValue: watch.rawValue)
    if let mount = MountNumber.of(directory.descriptor) { reader.note(mark, on: mount) }
    return mark
  }

  package func unmark(_ mark: MarkID) {
    reader.instance.removeWatch(WatchNumber(rawValue: mark.rawValue))
    reader.forget(mark)
  }

  package func deliverPending() {
    reader.readAll()
  }

  package var delivered: UInt64 { reader.delivered }

  package func stop() {
    reader.shutdown.send()
    thread.join()
  }
}

extension MarkScope {
  /// What inotify is asked for.
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
