package import LinuxFileSystem
package import SystemPackage

/// Hints from whichever source can tell of a directory: mounts of one tree may differ.
///
/// Nothing is renamed from one mount to another, so that no order is lost between sources.
package final class MixedSource: EventSource {
  /// Which sources may be used.
  package enum Choice: Hashable, Sendable {
    /// fanotify for each mount whose file system has it, inotify for the others, and where the kernel has no fanotify.
    case automatic
    case fanotify
    case inotify
  }

  private struct State: Sendable {
    /// Made when it is needed: instances are few.
    var inotify: InotifySource?
    var isStarted = false
    /// fanotify has no room for more directories.
    var isFanotifyFull = false
  }

  private let choice: Choice
  private let wait: EventWait?
  private let fanotify: FanotifySource?
  private let outlet = HintOutlet()
  private let state: Mutex<State>

  /// - Throws: What the source that was chosen throws; for `automatic`, what inotify throws where there is no fanotify.
  package init(
    _ choice: Choice = .automatic, coverage: FanotifySource.Coverage = .fileSystems, _ wait: EventWait? = nil
  ) throws(Errno) {
    self.choice = choice
    self.wait = wait
    switch choice {
    case .automatic: fanotify = try? FanotifySource(coverage: coverage, wait)
    case .fanotify: fanotify = try FanotifySource(coverage: coverage, wait)
    case .inotify: fanotify = nil
    }
    state = Mutex(State(inotify: fanotify == nil ? try InotifySource(wait) : nil))
  }

  deinit {
    stop()
  }

  /// Whether directories are marked with fanotify where that is possible.
  package var usesFanotify: Bool { fanotify != nil }

  package func start(delivering deliver: @escaping @Sendable (HintBatch) -> Void) throws(Errno) {
    outlet.deliver(to: deliver)
    let outlet = outlet
    try fanotify?.start { outlet.put($0) }
    try state.withLock { (state) throws(Errno) in
      try state.inotify?.start { outlet.put($0) }
      state.isStarted = true
    }
  }

  /// Marks a directory with fanotify, or with inotify where that may be used and fanotify cannot have the directory.
  ///
  /// What one source has marked stays with it: a directory marked by both would be told of twice.
  package func mark(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID {
    guard let fanotify else { return try inotify().mark(directory, for: scope) }
    if state.withLock({ $0.isFanotifyFull }), !fanotify.knows(directory) {
      return try inotify().mark(directory, for: scope)
    }
    do {
      return try fanotify.mark(directory, for: scope)
    } catch {
      guard choice == .automatic, let refusal = FanotifyRefusal(error) else { throw error }
      if refusal == .full { state.withLock { $0.isFanotifyFull = true } }
      return try inotify().mark(directory, for: scope)
    }
  }

  private func inotify() throws(Errno) -> InotifySource {
    let outlet = outlet
    return try state.withLock { (state) throws(Errno) in
      if let inotify = state.inotify { return inotify }
      let inotify = try InotifySource(wait)
      if state.isStarted { try inotify.start { outlet.put($0) } }
      state.inotify = inotify
      return inotify
    }
  }

  package func unmark(_ mark: MarkID) { unmark(mark, of: nil) }

  package func unmark(_ mark: MarkID, of directory: DirectoryHandle?) {
    if mark.isOfFanotify {
      fanotify?.unmark(mark, of: directory)
    } else {
      existing?.unmark(mark, of: directory)
    }
  }

  package func recognize(_ directory: DirectoryHandle) -> MarkID? { fanotify?.recognize(directory) }

  package func deliverPending() {
    fanotify?.deliverPending()
    existing?.deliverPending()
  }

  private var existing: InotifySource? { state.withLock { $0.inotify } }

  package var delivered: UInt64 { outlet.delivered }

  package func stop() {
    fanotify?.stop()
    let inotify = state.withLock { state in
      state.isStarted = false
      return state.inotify
    }
    inotify?.stop()
  }
}

/// Why fanotify does not mark a directory that inotify may well watch.
private enum FanotifyRefusal {
  /// The file system has no handles, or none that a group like this one may be told of.
  case fileSystem
  /// A limit is reached, or memory is short.
  case full

  /// Nothing where no source could do it.
  init?(_ error: Errno) {
    switch error {
    case .noSuchFileOrDirectory, .notDirectory, .permissionDenied, .badFileDescriptor: return nil
    case .noSpace, .noMemory: self = .full
    default: self = .fileSystem
    }
  }
}
