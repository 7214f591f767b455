package import LinuxFileSystem
package import SystemPackage

/// Hints from inotify(7): one watch a directory, read by a thread of its own.
package final class InotifySource: EventSource {
  private let reader: InotifyReader
  private let thread = Mutex<NativeThread?>(nil)

  /// - Throws: EMFILE where the user has too many inotify instances or the process too many descriptors.
  package init() throws(Errno) {
    reader = try InotifyReader()
  }

  deinit {
    stop()
  }

  package func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno) {
    let reader = reader
    // The signal of an earlier `stop()` would end the new thread at once.
    reader.shutdown.clear()
    reader.deliver(to: deliver)
    let started = try NativeThread(name: "fso-inotify") { reader.run() }
    thread.withLock { $0 = started }
  }

  package func mark(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID {
    let watch = try reader.instance.watch(directory.descriptor, for: scope.inotifyMask)
    return MarkID(rawValue: watch.rawValue)
  }

  package func unmark(_ mark: MarkID) {
    reader.instance.removeWatch(WatchNumber(rawValue: mark.rawValue))
  }

  package func deliverPending() {
    reader.readAll()
  }

  package var delivered: UInt64 { reader.delivered }

  package func stop() {
    reader.shutdown.send()
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    running?.join()
  }
}

extension MarkScope {
  /// What inotify is asked for.
  package var inotifyMask: InotifyMask {
    switch self {
    case .entries: Self.structure.union(.attribute)
    case .entriesWithoutAttributes: Self.structure
    case .departures: [.delete, .movedFrom, .moveSelf, .onlyDirectory]
    case .itself: [.moveSelf, .onlyDirectory]
    }
  }

  private static let structure: InotifyMask = [
    .create, .delete, .movedFrom, .movedTo, .modify, .closeWrite, .deleteSelf, .moveSelf, .onlyDirectory,
    .excludeUnlinked,
  ]
}
