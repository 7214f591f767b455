import FileEvents
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Hints on their way from the source's thread to the engine's.
struct HintInboxTests {
  private static func batch(_ count: Int, from first: UInt64, of mark: Int32 = 1) -> HintBatch {
    let hint = Hint(directory: MarkID(rawValue: mark), kinds: .created)
    return HintBatch(hints: Array(repeating: hint, count: count), first: first)
  }

  @Test func allBatchesAreTakenAsOne() throws {
    let inbox = try HintInbox()
    inbox.put(Self.batch(2, from: 0))
    inbox.put(Self.batch(3, from: 2))
    let batch = inbox.take()
    #expect(batch.first == 0 && batch.next == 5 && batch.hints.count == 5 && !batch.overflowed)
    #expect(inbox.isEmpty && inbox.take().first == 5)
  }

  @Test func whoTakesOnlyWhatFitsIsToldOfTheLoss() throws {
    let inbox = try HintInbox()
    inbox.put(Self.batch(262_144, from: 0))
    inbox.put(Self.batch(1, from: 262_144))
    inbox.put(Self.batch(0, from: 262_145))
    let batch = inbox.take()
    #expect(batch.hints.count == 262_144 && batch.lossIndex == 262_144 && batch.next == 262_145)
    inbox.put(Self.batch(1, from: 262_145))
    let next = inbox.take()
    #expect(next.hints.count == 1 && !next.overflowed && next.first == 262_145)
  }

  @Test func whoseHintsWaitIsKnown() throws {
    let inbox = try HintInbox()
    inbox.put(Self.batch(1, from: 0, of: 1))
    #expect(inbox.hasHints(of: MarkID(rawValue: 1)) && !inbox.hasHints(of: MarkID(rawValue: 2)))
    inbox.put(Self.batch(1, from: 1, of: 2))
    #expect(inbox.hasHints(of: MarkID(rawValue: 2)))
    _ = inbox.take()
    #expect(!inbox.hasHints(of: MarkID(rawValue: 1)) && !inbox.hasHints(of: MarkID(rawValue: 2)))
  }

  @Test func onlyWhoWaitsIsWoken() throws {
    let inbox = try HintInbox()
    inbox.put(Self.batch(1, from: 0))
    #expect(!inbox.signal.wait(nanoseconds: 0), "nobody waits")
    #expect(inbox.whileEmpty { true } == nil, "there are hints")
    _ = inbox.take()
    inbox.whileEmpty { inbox.put(Self.batch(1, from: 1)) }
    #expect(inbox.signal.wait(nanoseconds: 0))
    _ = inbox.take()
    inbox.stop()
    #expect(inbox.signal.wait(nanoseconds: 0) && inbox.isStopped && inbox.whileEmpty { true } == nil)
  }
}
