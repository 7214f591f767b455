import FileTestSupport
import LinuxFileSystem
import Testing

@testable import FileEvents

/// Who reads what the kernel tells: whoever waits for it, or else the source's own thread.
@Suite(.timeLimit(.minutes(10)))
struct EventWaitTests {
  private let folder: ScratchFolder
  private let directory: DirectoryHandle
  private let signal: WakeSignal
  private let wait: EventWait
  private let collector: HintCollector

  init() throws {
    folder = try ScratchFolder()
    directory = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path, for: .search))
    signal = try WakeSignal()
    wait = try EventWait(signal)
    collector = try HintCollector()
  }

  private func started(_ choice: WatchPool.Choice) throws -> WatchPool {
    let sequencer = HintSequencer()
    let collector = collector
    sequencer.deliver { collector.deliver($0) }
    let source = WatchPool(choice, sequencer, wait)
    try source.start()
    _ = try source.mark(directory, for: .entries)
    return source
  }

  @Test(arguments: [WatchPool.Choice.inotify, .fanotify]) func whoWaitsIsWoken(_ choice: WatchPool.Choice) throws {
    let source = try started(choice)
    defer { source.stop() }
    let isWoken = Mutex(false)
    let woken = try WakeSignal()
    let folder = folder
    let writer = try NativeThread(name: "writer") {
      // What is written before anyone waits is read by the source's own thread.
      repeat {
        try? PlainFiles.write([], to: folder.path("a"))
        woken.wait(nanoseconds: 1_000_000)
      } while !isWoken.withLock { $0 }
    }
    let end = wait.wait(until: .now + 20_000_000_000)
    isWoken.withLock { $0 = true }
    woken.send()
    writer.join()
    #expect(end == .events)
    source.deliverPending()
    _ = try collector.take(until: "a")
  }

  @Test(arguments: [WatchPool.Choice.inotify, .fanotify])
  func whileNobodyWaitsTheSourceReads(_ choice: WatchPool.Choice) throws {
    let source = try started(choice)
    defer { source.stop() }
    try PlainFiles.write([], to: folder.path("a"))
    _ = try collector.take(until: "a")
  }

  @Test func aSignalEndsTheWait() throws {
    signal.send()
    #expect(wait.wait(until: nil) == .signal)
    #expect(wait.wait(until: .now + 1_000_000) == .time, "one signal ends one wait")
  }

  /// In a burst, events are left to the threads that read them, which signal what concerns the waiter.
  @Test func inABurstOnlyASignalEndsTheWait() throws {
    let event = try WakeSignal()
    try wait.add(event.descriptor)
    event.send()
    #expect(wait.wait(until: nil) == .events)

    let end = MonotonicTime.now + 30_000_000
    wait.leaveToReaders(until: end)
    #expect(wait.wait(until: .now + 1_000_000) == .time)
    signal.send()
    #expect(wait.wait(until: nil) == .signal)
    #expect(wait.wait(until: nil) == .events, "the burst is over")
    #expect(end <= .now)
  }

  /// What the reader's thread has read in a burst reaches the handler, whoever waits.
  @Test(arguments: [WatchPool.Choice.inotify, .fanotify])
  func aBurstIsReadWhileSomebodyWaits(_ choice: WatchPool.Choice) throws {
    let source = try started(choice)
    defer { source.stop() }
    wait.leaveToReaders(until: .now + 60_000_000_000)
    let waiter = try NativeThread(name: "waiter") { [wait] in _ = wait.wait(until: nil) }
    try PlainFiles.write([], to: folder.path("a"))
    _ = try collector.take(until: "a")
    signal.send()
    waiter.join()
  }
}
