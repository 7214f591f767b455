import Dispatch
import FileEvents
import LinuxFileSystem
import SystemPackage

/// Runs an engine on threads of its own, which wait for hints and deadlines; an idle driver does not wake.
final class ObservationDriver: Sendable {
  typealias HostEngine = Engine<GuardedFileSystem, HostSource>
  typealias HostSource = TreeSource<GuardedFileSystem>

  /// How long due work may wait while results keep coming, in nanoseconds.
  private static let patience: Int64 = 10_000_000

  /// How long the last tags may take at the end, in nanoseconds; the next scan would mint the same UUIDs.
  static let patienceAtEnd: Int64 = 300_000_000

  let state: ObservationState
  private let source: HostSource
  let inbox: HintInbox
  private let tasks: EngineTasks
  let threads: EngineThreads
  private let files: GuardedFileSystem
  private let readers: ContentReaders?
  /// Passes on the engine's output until observation ends.
  private let outlet: Outlet
  private let presence = Presence()
  /// The time left for the engine if stopping the source has used up the rest.
  private static let lastMoment: Int64 = 100_000_000

  /// Opens the directory and the event source.
  ///
  /// Nothing runs before `begin()`.
  ///
  /// - Parameters:
  ///   - blocks: Runs the announcements at the end of a step.
  ///   - contents: Makes digests, if contents are evidence of identity.
  ///   - finished: Called on one of the threads when observation ends by itself.
  init(
    settings: HostEngine.Settings, files: GuardedFileSystem, rootLossPolicy: FileSystemObserver.RootLossPolicy,
    blocks: OwnQueue, contents: ContentUse? = nil,
    makeSource: (EventWait) throws(Errno) -> HostSource, scopes: @escaping @Sendable () -> [FileSystemObserver.Scope],
    details: @escaping @Sendable () -> FileSystemObserver.Details,
    emit: @escaping @Sendable (EngineOutput) -> Void, finished: @escaping @Sendable (FileSystemObserverError) -> Void
  ) throws(FileSystemObserverError) {
    self.files = files
    let opened = try Self.open(contents, makeSource)
    (inbox, source, readers) = (opened.inbox, opened.source, opened.readers)
    let outlet = Outlet(emit)
    self.outlet = outlet
    let engine = try Self.engine(files, source, settings, outlet)
    state = engine.state
    let inbox = inbox
    let tasks = EngineTasks()
    self.tasks = tasks
    files.onMountNews { inbox.signal.send() }
    engine.scopes = scopes
    engine.details = details
    engine.watchDetails()
    Self.connect(engine, inbox, tasks, readers, contents)
    let around = Surroundings(
      inbox: inbox, tasks: tasks, wait: opened.wait, rootLossPolicy: rootLossPolicy, blocks: blocks, finished: finished)
    threads = try Self.threads(engine, around)
  }

  /// Makes the threads, and has the source report to them.
  private static func threads(
    _ engine: HostEngine, _ around: Surroundings
  ) throws(FileSystemObserverError) -> EngineThreads {
    do throws(Errno) {
      let threads = try EngineThreads(work(Handover(engine), around))
      try engine.source.start { around.inbox.put($0) }
      return threads
    } catch {
      engine.source.stop()
      engine.files.end()
      throw FileSystemObserverError(starting: error)
    }
  }

  private static func engine(
    _ files: GuardedFileSystem, _ source: HostSource, _ settings: HostEngine.Settings, _ outlet: Outlet
  ) throws(FileSystemObserverError) -> HostEngine {
    do throws(Errno) {
      return try HostEngine(files: files, source: source, settings: settings, emit: { outlet.pass($0) })
    } catch {
      files.end()
      throw FileSystemObserverError(opening: settings.path, error)
    }
  }

  /// Begins with the first scan, on one of the threads.
  func begin() throws(FileSystemObserverError) {
    do throws(Errno) {
      try threads.start()
    } catch {
      source.stop()
      files.end()
      tasks.end()
      throw FileSystemObserverError(starting: error)
    }
  }

  /// Ends observation and waits for its threads, except those that run a block, the caller's own, and those that are
  /// stuck.
  ///
  /// This takes less than two seconds in all cases, and nothing is announced after that. A thread that is stuck in the
  /// kernel is left behind.
  func stop() {
    tagLastSaves()
    let deadline = MonotonicTime.now + longestFarewell
    inbox.stop()
    files.end()
    readers?.end()
    source.stop()
    threads.stop(until: max(deadline, .now + Self.lastMoment))
    readers?.stop(until: max(deadline, .now + Self.lastMoment))
    outlet.close()
    tasks.end()
  }

  /// Has the engine perform a task between two steps, or calls the task without an engine if observation ends before.
  ///
  /// The task runs on a thread of the observer, after the first scan.
  func perform(_ task: @escaping EngineTasks.Task) {
    tasks.put(task)
    inbox.signal.send()
  }

  /// Has the engine answer a question between two steps, and waits; `nil` if observation ends before.
  func ask<Answer: Sendable>(_ question: @escaping @Sendable (HostEngine) -> Answer) -> Answer? {
    let answer = Mutex<Answer?>(nil)
    let isAnswered = DispatchSemaphore(value: 0)
    perform { engine in
      if let engine { answer.withLock { $0 = question(engine) } }
      isAnswered.signal()
    }
    isAnswered.wait()
    return answer.withLock { $0 }
  }

  /// Runs the engine until there is something to announce; returns whether there is.
  static func serve(_ handover: Handover, _ around: Surroundings) -> Bool {
    guard let engine = handover.engine else { return false }
    if !handover.hasBegun {
      handover.hasBegun = true
      engine.scanFirst(at: .now)
    }
    while !around.inbox.isStopped {
      restInBurst(engine, around.inbox)
      if around.blocks.collecting({ step(engine, around) }) { return true }
      if engine.isRootLost {
        waitForRoot(engine, around)
      } else {
        waitForWork(engine, around.inbox, around.wait)
      }
    }
    return false
  }

  /// Releases the engine, after writing as many held tags as `patienceAtEnd` allows.
  static func end(_ handover: Handover) {
    let deadline = MonotonicTime.now + patienceAtEnd
    handover.engine?.writeAllHeldTags(.now) { .now < deadline }
    handover.engine?.endBarriers()
    handover.engine?.endContentPass()
    handover.engine = nil
  }

  /// While many files arrive, lets hints and deadlines gather between two steps: each step has its price.
  private static func restInBurst(_ engine: HostEngine, _ inbox: HintInbox) {
    let rest = engine.restInBurst(at: .now)
    if rest <= 0 { return }
    inbox.signal.wait(nanoseconds: rest)
    engine.source.deliverPending()
  }

  private static func step(_ engine: HostEngine, _ around: Surroundings) {
    step(engine, around.inbox, around.blocks)
    performTasks(engine, around)
    if engine.isRootLost, around.rootLossPolicy != .waitForReturn { around.finished(engine.rootLossError) }
  }

  private static func performTasks(_ engine: HostEngine, _ around: Surroundings) {
    around.tasks.perform(by: engine)
    engine.passBarriers(at: .now)
  }

  /// Handles hints and deadlines; deadlines wait a moment for announcements that are ready.
  private static func step(_ engine: HostEngine, _ inbox: HintInbox, _ blocks: OwnQueue) {
    handleHints(engine, inbox)
    engine.reportMounts(at: .now)
    let now = MonotonicTime.now
    guard let deadline = engine.nextDeadline, deadline <= now else { return }
    if blocks.hasCollected, now - deadline < patience { return }
    // A decision must take into account every event that the kernel has queued by then.
    engine.source.deliverPending()
    handleHints(engine, inbox)
    if !inbox.isStopped, !engine.isRootLost { engine.advance(to: now) }
  }

  /// Handles all hints, and makes up for all losses among them by one rescan.
  static func handleHints(_ engine: HostEngine, _ inbox: HintInbox) {
    let batch = inbox.take()
    if !batch.hints.isEmpty || batch.overflowed { engine.handle(batch, isLast: inbox.isEmpty, at: .now) }
    if batch.overflowed, !inbox.isStopped, !engine.isRootLost { engine.rescan(.eventsLost, at: .now) }
  }

  /// Waits for hints, for kernel events, which this thread reads itself, and for the next deadline.
  private static func waitForWork(_ engine: HostEngine, _ inbox: HintInbox, _ wait: EventWait) {
    let deadline = engine.nextDeadline
    if let deadline, deadline <= .now { return }
    let end = inbox.whileEmpty { wait.wait(until: deadline) }
    if end == .events { engine.source.deliverPending() }
  }

  /// Looks for the directory once a second, because no event reports that a path begins to exist.
  private static func waitForRoot(_ engine: HostEngine, _ around: Surroundings) {
    let inbox = around.inbox
    while !inbox.isStopped {
      if !engine.awaitsUnmount, engine.returnToRoot(at: .now) { return }
      performTasks(engine, around)
      inbox.whileEmpty { inbox.signal.wait(nanoseconds: 1_000_000_000) }
      engine.skip(inbox.take())
    }
  }
}

extension FileSystemObserverError {
  init(opening path: FilePath, _ errno: Errno) {
    switch errno {
    case .noSuchFileOrDirectory:
      self.init(
        code: .rootNotFound, sentence: "there is no folder at \(path); create it, or name another", path: path,
        errno: errno)
    case .notDirectory:
      self.init(
        code: .rootNotDirectory, sentence: "\(path) is not a folder; name the folder it is in", path: path, errno: errno
      )
    case .permissionDenied, .notPermitted:
      self.init(
        code: .rootNotReadable,
        sentence: "\(path) cannot be listed: permission denied; ask for read and search permission", path: path,
        errno: errno)
    case .timedOut:
      self.init(
        code: .rootNotAnswering,
        sentence: "the file system of \(path) does not answer; try again when the program or the server behind it does",
        path: path, errno: errno)
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem: self.init(starting: errno)
    case .tooManySymbolicLinkLevels:
      self.init(
        code: .rootNotFound, sentence: "the symbolic links of \(path) lead in a circle; name the folder itself",
        path: path, errno: errno)
    default:
      self.init(code: .rootNotReadable, sentence: "cannot observe \(path): \(errno)", path: path, errno: errno)
    }
  }

  init(starting errno: Errno) {
    let advice: Message =
      errno == .tooManyOpenFiles || errno == .tooManyOpenFilesInSystem
      ? "too many fanotify groups or inotify instances of this user, or open files of this process; raise the limit with "
        + "sudo sysctl fs.fanotify.max_user_groups=1024 fs.inotify.max_user_instances=1024, or ulimit -n"
      : "cannot watch for events: \(errno)"
    self.init(code: .limitReached, sentence: advice, errno: errno)
  }
}
