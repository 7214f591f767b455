import LinuxFileSystem
import SystemPackage

/// The marks of the kernel's source, as many as there is room for.
///
/// The source itself may be one too many: then it is made as soon as there is room.
final class KernelMarks: Sendable {
  private struct State: Sendable {
    var source: MixedSource?
    var isStarted = false
    /// Limits that were reached, and those that nobody has taken yet.
    var reached: Set<ResourceLimit> = []
    var news: [ReachedLimit] = []
    /// By device, whether files change there without the kernel's telling.
    var untold: [UInt64: Bool] = [:]
  }

  private let choice: MixedSource.Choice?
  private let coverage: FanotifySource.Coverage
  private let outlet: HintOutlet
  private let wait: EventWait?
  private let state = Mutex(State())

  init(_ choice: MixedSource.Choice?, _ coverage: FanotifySource.Coverage, _ outlet: HintOutlet, _ wait: EventWait?) {
    self.choice = choice
    self.coverage = coverage
    self.outlet = outlet
    self.wait = wait
  }

  var source: MixedSource? { state.withLock { $0.source } }

  /// Makes the source, unless a limit is in the way.
  ///
  /// - Throws: What else the kernel says.
  func prepare() throws(Errno) {
    do {
      _ = try made()
    } catch {
      guard note(error) else { throw error }
    }
  }

  private func made() throws(Errno) -> MixedSource? {
    guard let choice else { return nil }
    let outlet = outlet
    return try state.withLock { (state) throws(Errno) in
      if let source = state.source { return source }
      let source = try MixedSource(choice, coverage: coverage, wait)
      if state.isStarted { try source.start { outlet.put($0) } }
      state.source = source
      return source
    }
  }

  func start() throws(Errno) {
    let outlet = outlet
    try state.withLock { (state) throws(Errno) in
      state.isStarted = true
      try state.source?.start { outlet.put($0) }
    }
  }

  func stop() {
    let source = state.withLock { state in
      state.isStarted = false
      return state.source
    }
    source?.stop()
  }

  /// Marks a directory; nothing where there is no room for it.
  func mark(_ directory: DirectoryHandle, for scope: MarkScope) throws(Errno) -> MarkID? {
    do {
      return try made()?.mark(directory, for: scope)
    } catch {
      guard note(error) else { throw error }
      return nil
    }
  }

  /// A mark that there was no room for, if there is by now.
  func tryMark(_ directory: DirectoryHandle, for scope: MarkScope) -> MarkID? {
    try? made()?.mark(directory, for: scope)
  }

  /// Notes what was refused; whether that was for want of room.
  private func note(_ error: Errno) -> Bool {
    let usesFanotify = source?.usesFanotify ?? (choice == .fanotify)
    guard let limit = ReachedLimit(error, usesFanotify: usesFanotify) else { return false }
    state.withLock { state in
      if state.reached.insert(limit.limit).inserted { state.news.append(limit) }
    }
    return true
  }

  func takeReachedLimits() -> [ReachedLimit] {
    state.withLock { state in
      defer { if !state.news.isEmpty { state.news = [] } }
      return state.news
    }
  }

  private func asks(_ directory: DirectoryHandle) -> Bool? {
    guard let device = try? FileStatus.of(directory.descriptor).device else { return nil }
    if let known = state.withLock({ $0.untold[device] }) { return known }
    guard let type = try? FileSystemType.of(directory.descriptor) else { return nil }
    let isUntold = type.changesUntold(on: device)
    state.withLock { $0.untold[device] = isUntold }
    return isUntold
  }

  /// Whether the kernel does not tell of everything that happens in a directory.
  func changesUntold(in directory: DirectoryHandle) -> Bool {
    if directory.mountGuard == nil { return asks(directory) ?? false }
    // Where the mount does not answer, neither can anything be watched there.
    return (try? directory.guarded { self.asks(directory) }) ?? true
  }
}
