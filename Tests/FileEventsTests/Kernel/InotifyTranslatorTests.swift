import Testing

@testable import FileEvents
@testable import LinuxFileSystem

/// How the kernel's events become hints.
struct InotifyTranslatorTests {
  private func batch(_ events: (Int32, InotifyMask, UInt32, String)...) -> HintBatch {
    var batch = HintBatch()
    for (watch, mask, cookie, name) in events {
      unsafe Array(name.utf8).withUnsafeBufferPointer { name in
        let event = unsafe InotifyEvent(watch: WatchNumber(rawValue: watch), mask: mask, cookie: cookie, name: name)
        unsafe InotifyTranslator.append(event, to: &batch)
      }
    }
    return batch
  }

  private func hint(_ kinds: HintKinds, cookie: UInt32 = 0, _ name: String?) -> Hint {
    Hint(directory: MarkID(rawValue: 1), kinds: kinds, cookie: cookie, name: name.map { FileName($0) })
  }

  @Test(
    arguments: [
      (.create, .created), (.delete, .removed), (.movedFrom, .movedFrom), (.movedTo, .movedTo), (.modify, .written),
      (.closeWrite, .closed), (.attribute, .attributes), ([.create, .isDirectory], [.created, .directory]),
      (.deleteSelf, .selfRemoved), (.moveSelf, .selfMoved), (.unmount, .unmounted), (.ignored, .markGone),
    ] as [(InotifyMask, HintKinds)])
  func eachBitHasItsKind(_ mask: InotifyMask, _ kinds: HintKinds) {
    #expect(batch((1, mask, 7, "a")).hints == [hint(kinds, cookie: 7, "a")])
  }

  @Test func anEventOfTheFolderItselfHasNoName() {
    #expect(batch((1, .deleteSelf, 0, "")).hints == [hint(.selfRemoved, nil)])
  }

  @Test func anOverflowIsTold() {
    let batch = batch((1, .create, 0, "a"), (-1, .queueOverflow, 0, ""))
    #expect(batch.overflowed)
    #expect(batch.hints.count == 1)
    #expect(!batch.isEmpty)
  }

  /// Only what comes before the first loss can be taken at its word.
  @Test func whereEventsWereLostIsTold() {
    let overflow: (Int32, InotifyMask, UInt32, String) = (-1, .queueOverflow, 0, "")
    let torn = batch((1, .create, 0, "a"), overflow, (1, .create, 0, "b"), overflow)
    #expect(torn.lossIndex == 1)
    #expect(batch((1, .create, 0, "a")).lossIndex == nil)
    var joined = batch((1, .create, 0, "c"), (1, .create, 0, "d"))
    joined.append(torn)
    #expect(joined.hints.count == 4)
    #expect(joined.lossIndex == 3)
    joined.append(batch(overflow))
    #expect(joined.lossIndex == 3)
  }

  @Test func theWritesOfOneFileAreOneHint() {
    let batch = batch((1, .create, 0, "a"), (1, .modify, 0, "a"), (1, .modify, 0, "a"), (1, .closeWrite, 0, "a"))
    #expect(batch.hints == [hint([.created, .written, .closed], "a")])
  }

  /// Silence after the last write does not finish a file; only a close does.
  @Test func aWriteAfterACloseTakesTheCloseBack() {
    let batch = batch((1, .closeWrite, 0, "a"), (1, .modify, 0, "a"))
    #expect(batch.hints == [hint(.written, "a")])
  }

  @Test func otherEventsAreNotMerged() {
    #expect(batch((1, .modify, 0, "a"), (1, .modify, 0, "b"), (1, .modify, 0, "a")).hints.count == 3)
    #expect(batch((1, .modify, 0, "a"), (2, .modify, 0, "a")).hints.count == 2)
    #expect(batch((1, .delete, 0, "a"), (1, .create, 0, "a")).hints.count == 2)
    #expect(batch((1, .movedTo, 9, "a"), (1, .modify, 0, "a")).hints.count == 2)
    #expect(batch((1, .modify, 0, "a"), (1, .movedFrom, 9, "a")).hints.count == 2)
    #expect(batch((1, .attribute, 0, ""), (1, .attribute, 0, "")).hints.count == 2)
    #expect(batch((1, .modify, 0, "ab"), (1, .modify, 0, "a")).hints.count == 2)
  }
}
