import LinuxFileSystem
import SystemPackage

/// The kernel's sources, one of which marks each directory: mounts of one tree may differ.
///
/// No file is renamed from one mount to another, so that the order of hints is correct across the sources. Each source
/// is created on demand, as soon as the limits permit.
package final class WatchPool: Sendable {
  /// Which sources may be used.
  package enum Choice: Hashable, Sendable {
    /// fanotify for each mount that supports it; inotify for others, and for kernels without fanotify.
    case automatic
    case fanotify
    case inotify
  }

  private struct State: Sendable {
    var fanotify: FanotifySource?
    var inotify: InotifySource?
    var isStarted = false
    /// Whether fanotify has no room for more directories.
    var isFanotifyFull = false
    /// Limits that were reached, and those that have not been taken yet.
    var reached: Set<ResourceLimit> = []
    var newlyReached: [ReachedLimit] = []
  }

  private let choice: Choice
  private let coverage: FanotifySource.Coverage
  private let sequencer: HintSequencer
  private let wait: EventWait?
  private let state = Mutex(State())

  init(
    _ choice: Choice, coverage: FanotifySource.Coverage = .fileSystems, _ sequencer: HintSequencer = HintSequencer(),
    _ wait: EventWait? = nil
  ) {
    self.choice = choice
    self.coverage = coverage
    self.sequencer = sequencer
    self.wait = wait
  }

  // MARK: - Sources

  /// Creates the first source, unless a limit prevents it.
  ///
  /// - Throws: What the source throws for any other reason; for `automatic`, what inotify throws without fanotify.
  func prepare() throws(Errno) {
    do throws(Errno) {
      try state.withLock { (state) throws(Errno) in try create(&state) }
    } catch {
      guard note(error) else { throw error }
    }
  }

  /// Creates the first source if there is none.
  private func create(_ state: inout State) throws(Errno) {
    if state.fanotify != nil || state.inotify != nil { return }
    if let fanotify = try makeFanotify() {
      if state.isStarted { try fanotify.start() }
      state.fanotify = fanotify
    } else {
      try createInotify(&state)
    }
  }

  private func makeFanotify() throws(Errno) -> FanotifySource? {
    switch choice {
    case .automatic: try? FanotifySource(coverage: coverage, sequencer, wait)
    case .fanotify: try FanotifySource(coverage: coverage, sequencer, wait)
    case .inotify: nil
    }
  }

  @discardableResult
  private func createInotify(_ state: inout State) throws(Errno) -> InotifySource {
    let inotify = try InotifySource(sequencer, wait)
    if state.isStarted { try inotify.start() }
    state.inotify = inotify
    return inotify
  }

  private func inotify() throws(Errno) -> InotifySource {
    try state.withLock { (state) throws(Errno) in
      if let inotify = state.inotify { return inotify }
      return try createInotify(&state)
    }
  }

  private var sources: (fanotify: FanotifySource?, inotify: InotifySource?) {
    state.withLock { ($0.fanotify, $0.inotify) }
  }

  func start() throws(Errno) {
    try state.withLock { (state) throws(Errno) in
      state.isStarted = true
      try state.fanotify?.start()
      try state.inotify?.start()
    }
  }

  func stop() {
    let (fanotify, inotify) = state.withLock { state in
      state.isStarted = false
      return (state.fanotify, state.inotify)
    }
    fanotify?.stop()
    inotify?.stop()
  }

  func deliverPending() {
    let (fanotify, inotify) = sources
    fanotify?.deliverPending()
    inotify?.deliverPending()
  }

  // MARK: - Marks

  /// Marks a directory; returns nothing, and notes the limit, if there is no room for the mark.
  func markIfRoom(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID? {
    do throws(Errno) {
      return try mark(directory, for: scope)
    } catch {
      guard note(error) else { throw error }
      return nil
    }
  }

  /// Marks a directory with fanotify, or with inotify where that may be used and fanotify cannot mark the directory.
  ///
  /// A directory stays with the source that has marked it: two sources would report each change twice.
  func mark(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID {
    let (fanotify, isFull) = try state.withLock { (state) throws(Errno) in
      try create(&state)
      return (state.fanotify, state.isFanotifyFull)
    }
    guard let fanotify, !isFull || fanotify.knows(directory) else {
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

  func unmark(_ mark: MarkID, of directory: DirectoryHandle?) {
    let (fanotify, inotify) = sources
    if mark.isOfFanotify {
      fanotify?.unmark(mark, of: directory)
    } else {
      inotify?.unmark(mark, of: directory)
    }
  }

  func recognize(_ directory: DirectoryHandle) -> MarkID? { sources.fanotify?.recognize(directory) }

  // MARK: - Limits

  /// Notes an error that means a limit; returns whether it does.
  private func note(_ error: Errno) -> Bool {
    let usesFanotify = state.withLock { $0.fanotify != nil || $0.inotify == nil && choice == .fanotify }
    guard let limit = ReachedLimit(error, usesFanotify: usesFanotify) else { return false }
    state.withLock { state in
      if state.reached.insert(limit.limit).inserted { state.newlyReached.append(limit) }
    }
    return true
  }

  /// Takes the limits that were reached since the last call.
  func takeReachedLimits() -> [ReachedLimit] {
    state.withLock { state in
      defer { if !state.newlyReached.isEmpty { state.newlyReached = [] } }
      return state.newlyReached
    }
  }
}

/// Why fanotify does not mark a directory that inotify may still watch.
private enum FanotifyRefusal {
  /// The file system has no handles, or none that this group may receive.
  case fileSystem
  /// A limit is reached, or memory is short.
  case full

  /// Nothing if no source could mark the directory.
  init?(_ error: Errno) {
    switch error {
    case .noSuchFileOrDirectory, .notDirectory, .permissionDenied, .badFileDescriptor: return nil
    case .noSpace, .noMemory: self = .full
    default: self = .fileSystem
    }
  }
}
