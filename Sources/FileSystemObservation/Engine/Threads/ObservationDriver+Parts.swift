import FileEvents
import LinuxFileSystem
import SystemPackage

// What a driver is made of.

extension ObservationDriver {
  /// The engine, passed from thread to thread.
  ///
  /// Only the thread that has the engine touches this. The lock of `EngineThreads` orders the accesses, so that each
  /// thread sees the changes of the one before.
  final class Handover: @unchecked Sendable {
    var engine: HostEngine?
    var hasBegun = false

    init(_ engine: HostEngine) {
      self.engine = engine
    }
  }

  /// Passes the engine's output on until it is closed, so that an engine that was left behind announces nothing later.
  final class Outlet: Sendable {
    private let isOpen = Mutex(true)
    private let emit: @Sendable (EngineOutput) -> Void

    init(_ emit: @escaping @Sendable (EngineOutput) -> Void) {
      self.emit = emit
    }

    func pass(_ output: EngineOutput) {
      if isOpen.withLock({ $0 }) { emit(output) }
    }

    func close() { isOpen.withLock { $0 = false } }
  }

  /// Counts a driver as long as it exists.
  final class Presence: Sendable {
    private static let count = Mutex(0)

    static var isSingle: Bool { count.withLock { $0 } == 1 }

    init() { Self.count.withLock { $0 += 1 } }

    deinit { Self.count.withLock { $0 -= 1 } }
  }

  /// What a thread needs besides the engine.
  struct Surroundings: Sendable {
    let inbox: HintInbox
    let tasks: EngineTasks
    let wait: EventWait
    let rootLossPolicy: FileSystemObserver.RootLossPolicy
    let blocks: OwnQueue
    let finished: @Sendable (FileSystemObserverError) -> Void
  }
}

// MARK: - Setup

extension ObservationDriver {
  /// What must be there before the engine.
  struct Opened {
    var inbox: HintInbox
    var wait: EventWait
    var source: HostSource
    var readers: ContentReaders?
  }

  static func open(
    _ contents: ContentUse?, _ makeSource: (EventWait) throws(Errno) -> HostSource
  ) throws(FileSystemObserverError) -> Opened {
    do throws(Errno) {
      let inbox = try HintInbox()
      let wait = try EventWait(inbox.signal)
      return Opened(
        inbox: inbox, wait: wait, source: try makeSource(wait),
        readers: try contents.map { (contents) throws(Errno) in try ContentReaders(contents.digesting) })
    } catch {
      throw FileSystemObserverError(starting: error)
    }
  }

  static func connect(
    _ engine: HostEngine, _ inbox: HintInbox, _ tasks: EngineTasks, _ readers: ContentReaders?, _ contents: ContentUse?
  ) {
    engine.isAloneInProcess = { Presence.isSingle }
    engine.mayContinue = { !inbox.isStopped }
    engine.hasPendingHints = { inbox.hasHints(of: $0) }
    engine.contentService = readers?.service { answers, isOfPass in
      tasks.put { $0?.take(answers, ofPass: isOfPass, .now) }
      inbox.signal.send()
    }
    if let contents { engine.contentsDidChange = contents.didChange }
  }

  static func work(_ handover: Handover, _ around: Surroundings) -> EngineThreads.Work {
    EngineThreads.Work(
      serve: { serve(handover, around) }, announce: { around.blocks.run() }, isEnded: { around.inbox.isStopped },
      end: { end(handover) })
  }
}
