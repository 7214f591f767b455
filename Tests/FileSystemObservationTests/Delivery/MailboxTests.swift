import FileIdentity
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// What a listener is told that has not taken everything yet.
@Suite struct MailboxTests {
  /// What is taken out, in short.
  private enum Taken: Equatable {
    case set(UInt64), scan, reset, missed(UInt64)

    init(_ item: Mailbox.Item) {
      switch item {
      case .reset: self = .reset
      case .catchUp(let cursor): self = .missed(cursor.number)
      case .event(.didChange(let set)): self = .set(set.sequence)
      case .event: self = .scan
      }
    }
  }

  private func changes(_ count: Int, sequence: UInt64) -> FileSystemObserver.Event {
    var graph = FileGraph(root: FileKey(device: 1, inode: 1, born: 0), uuid: UUIDBits(high: 1, low: 1))
    var draft = ChangeDraft()
    for number in 2..<UInt64(count) + 2 {
      let content = FileGraph.Content(
        uuid: UUIDBits(high: 1, low: number), key: FileKey(device: 1, inode: number, born: 0), kind: .file, modified: 0,
        size: 0)
      draft.append(.modified, graph.insert(content, named: FileName("\(number)").span, in: .root), in: graph)
    }
    let log = ChangeComposer(draft, graph).composed().whole
    return .didChange(FileSystemChanges(log, nil, sequence: sequence, directory: "/T"))
  }

  /// Everything up to a question for what was missed.
  private func everything(in mailbox: inout Mailbox) -> [Taken] {
    var taken: [Taken] = []
    while let item = mailbox.take() {
      taken.append(Taken(item))
      if case .missed = taken.last { break }
    }
    return taken
  }

  private func cursor(_ number: UInt64) -> FileSystemObserver.Cursor { .init(epoch: 1, number: number) }

  private func missed(_ numbers: ClosedRange<UInt64>, isAll: Bool = true) -> MissedSets {
    let sets = numbers.compactMap { number in
      if case .didChange(let set) = changes(1, sequence: number) { set } else { nil }
    }
    return MissedSets(sets: sets, end: cursor(numbers.upperBound), isAll: isAll)
  }

  @Test func setsComeInOrder() {
    var mailbox = Mailbox(limit: 10)
    for sequence in 1...3 { mailbox.put(changes(3, sequence: UInt64(sequence))) }
    #expect(!mailbox.isFull)
    #expect(everything(in: &mailbox) == [.set(1), .set(2), .set(3)])
    #expect(mailbox.isEmpty)
  }

  /// Whoever keeps up is told of any change set, also of one with more changes than may wait.
  @Test func whoeverKeepsUpIsToldOfASetLargerThanTheLimit() {
    var mailbox = Mailbox(limit: 10)
    for sequence in 1...3 {
      mailbox.put(changes(50, sequence: UInt64(sequence)))
      #expect(mailbox.isFull)
      #expect(everything(in: &mailbox) == [.set(UInt64(sequence))])
    }
  }

  @Test func whoeverFallsBehindIsToldOnceToStartAnew() {
    var mailbox = Mailbox(limit: 10)
    for sequence in 1...4 { mailbox.put(changes(6, sequence: UInt64(sequence))) }
    #expect(everything(in: &mailbox) == [.reset])
    mailbox.discard(through: 4)
    mailbox.put(changes(1, sequence: 4))
    mailbox.put(changes(1, sequence: 5))
    #expect(everything(in: &mailbox) == [.set(5)])
  }

  @Test func whatTheInventoryHasIsNotToldAgain() {
    var mailbox = Mailbox(limit: 10)
    for sequence in 1...3 { mailbox.put(changes(3, sequence: UInt64(sequence))) }
    mailbox.discard(through: 2)
    mailbox.put(changes(7, sequence: 4))
    #expect(everything(in: &mailbox) == [.set(3), .set(4)])
  }

  /// How far a scan has come is worth knowing only now.
  @Test func ofSeveralReportsOfProgressTheLastWaits() {
    var mailbox = Mailbox(limit: 10)
    for count in 1...1000 {
      mailbox.put(
        .scanProgress(FileSystemObserver.ScanProgress(reason: .start, itemCount: count, awaitedDirectoryCount: 1)))
    }
    mailbox.put(changes(1, sequence: 1))
    guard case .event(.scanProgress(let progress)) = mailbox.take() else {
      Issue.record("no progress waits")
      return
    }
    #expect(progress.itemCount == 1000)
    #expect(everything(in: &mailbox) == [.set(1)])
  }

  /// A set may be on its way while somebody goes on after it.
  @Test func whoeverGoesOnAfterASetIsNotGivenItAgain() {
    var mailbox = Mailbox(limit: 10, after: cursor(3))
    for sequence in 2...4 { mailbox.put(changes(1, sequence: UInt64(sequence))) }
    mailbox.note(current: cursor(4))
    #expect(everything(in: &mailbox) == [.set(4)])
  }

  @Test func whoeverIsUpToDateMissesNothing() {
    var mailbox = Mailbox(limit: 10, after: cursor(3))
    #expect(!mailbox.isEmpty)
    mailbox.note(current: cursor(3))
    #expect(mailbox.isEmpty)
  }

  /// What was missed comes first, in parts, and what has come meanwhile is told once.
  @Test func whatWasMissedComesFirst() {
    var mailbox = Mailbox(limit: 10, after: cursor(3))
    for sequence in 7...9 { mailbox.put(changes(1, sequence: UInt64(sequence))) }
    mailbox.note(current: cursor(9))
    #expect(everything(in: &mailbox) == [.missed(3)])
    mailbox.insert(missed(4...5, isAll: false))
    #expect(everything(in: &mailbox) == [.set(4), .set(5), .missed(5)])
    mailbox.insert(missed(6...8))
    mailbox.put(changes(1, sequence: 10))
    #expect(everything(in: &mailbox) == [.set(6), .set(7), .set(8), .set(9), .set(10)])
  }

  /// Sets that do not fit are among those that are asked for, also if they come between question and answer.
  @Test func setsThatDoNotFitAreAskedFor() {
    var mailbox = Mailbox(limit: 10, after: cursor(3))
    for sequence in 5...6 { mailbox.put(changes(8, sequence: UInt64(sequence))) }
    #expect(everything(in: &mailbox) == [.missed(3)])
    for sequence in 7...8 { mailbox.put(changes(8, sequence: UInt64(sequence))) }
    mailbox.insert(missed(4...6))
    #expect(everything(in: &mailbox) == [.set(4), .set(5), .set(6), .missed(6)])
    mailbox.insert(missed(7...8))
    #expect(everything(in: &mailbox) == [.set(7), .set(8)])
    #expect(mailbox.isEmpty)
  }

  @Test func whatNobodyKnowsBeginsAnew() {
    var mailbox = Mailbox(limit: 10, after: cursor(3))
    mailbox.put(changes(1, sequence: 5))
    #expect(everything(in: &mailbox) == [.missed(3)])
    mailbox.dropChanges(because: .tooOld)
    mailbox.insert(missed(4...4))
    #expect(everything(in: &mailbox) == [.reset])
  }

  /// The engine goes on while the snapshot is made.
  @Test func whatComesAfterTheSnapshotIsNotLost() {
    var mailbox = Mailbox(limit: 10, after: cursor(999))
    #expect(everything(in: &mailbox) == [.missed(999)])
    mailbox.dropChanges(because: .resumed)
    guard case .reset = mailbox.take() else { return #expect(Bool(false), "no reset") }
    mailbox.put(changes(1, sequence: 1))
    mailbox.put(changes(1, sequence: 2))
    mailbox.discard(through: 1)
    mailbox.put(changes(1, sequence: 2))
    mailbox.put(changes(1, sequence: 3))
    #expect(everything(in: &mailbox) == [.set(2), .set(3)])
  }

  @Test func whatComesAfterANewStartIsNotLost() {
    var mailbox = Mailbox(limit: 10, startingWith: .initial)
    guard case .reset = mailbox.take() else { return #expect(Bool(false), "no reset") }
    mailbox.put(.willBeginFullScan(.start))
    mailbox.put(changes(1, sequence: 1))
    mailbox.discard(through: 50)
    mailbox.put(changes(1, sequence: 2))
    #expect(everything(in: &mailbox) == [.scan, .set(1), .set(2)])
  }

  /// A listener that has all sets of a run goes on after them in the next.
  @Test(arguments: [5, 7] as [UInt64]) func theNextRunGoesOn(_ stored: UInt64) {
    var mailbox = Mailbox(limit: 10, after: cursor(4))
    mailbox.note(current: cursor(4))
    mailbox.put(changes(1, sequence: 5))
    #expect(everything(in: &mailbox) == [.set(5)])
    mailbox.resume(after: stored)
    mailbox.put(changes(1, sequence: stored + 1))
    #expect(everything(in: &mailbox) == [stored == 5 ? .set(6) : .reset])
  }

  @Test func scansAreToldToWhoeverFellBehind() {
    var mailbox = Mailbox(limit: 10)
    mailbox.put(.willBeginFullScan(.eventsLost))
    mailbox.put(changes(6, sequence: 1))
    mailbox.put(changes(6, sequence: 2))
    #expect(everything(in: &mailbox) == [.reset, .scan])
  }

  @Test func aNewStartCountsAnew() {
    var mailbox = Mailbox(limit: 10)
    mailbox.discard(through: 7)
    mailbox.put(.willBeginFullScan(.start))
    mailbox.put(changes(1, sequence: 1))
    #expect(everything(in: &mailbox) == [.scan, .set(1)])
  }
}

// MARK: - What is no change

extension MailboxTests {
  private static let limit = Mailbox.noticeLimit

  private func diagnostic(_ number: Int) -> FileSystemObserver.Event {
    .diagnostic(FileSystemObserver.Diagnostic(code: .tagRestored, message: "\(number)", path: nil, errno: nil))
  }

  /// The messages of what is taken out.
  private func messages(in mailbox: inout Mailbox) -> [String] {
    var messages: [String] = []
    while case .event(let event)? = mailbox.take() {
      switch event {
      case .diagnostic(let diagnostic): messages.append(diagnostic.message)
      case .didChange(let set): messages.append("set \(set.sequence)")
      default: messages.append("scan")
      }
    }
    return messages
  }

  /// Tags were taken away for ever while a listener slept: each time a diagnostic was kept for it.
  @Test func diagnosticsBeyondTheLimitAreCounted() {
    var mailbox = Mailbox(limit: 10)
    for number in 0..<100_000 { mailbox.put(diagnostic(number)) }
    mailbox.put(changes(1, sequence: 1))
    let messages = self.messages(in: &mailbox)
    #expect(messages.count == Self.limit + 2 && messages.first == "0")
    #expect(
      messages.suffix(2) == [
        "\(100_000 - Self.limit) diagnostics were left out, for this listener did not take them in time", "set 1",
      ])
    mailbox.put(diagnostic(7))
    #expect(self.messages(in: &mailbox) == ["7"])
  }

  @Test func whatComesWhileTheReportWaitsIsCountedInIt() {
    var mailbox = Mailbox(limit: 10)
    for number in 0...Self.limit { mailbox.put(diagnostic(number)) }
    for _ in 0..<Self.limit { _ = mailbox.take() }
    mailbox.put(diagnostic(-1))
    #expect(messages(in: &mailbox).map { $0.prefix(22) } == ["2 diagnostics were lef"])
  }

  /// The changes are told without them, from an inventory.
  @Test func scansBeyondTheLimitAreLeftOutAsAWhole() {
    var mailbox = Mailbox(limit: 10)
    for number in 0..<Self.limit { mailbox.put(diagnostic(number)) }
    for _ in 0..<10_000 {
      mailbox.put(.willBeginFullScan(.eventsLost))
      mailbox.put(.didCompleteFullScan(summary))
    }
    #expect(everything(in: &mailbox) == [.reset] + Array(repeating: .scan, count: Self.limit))
    mailbox.put(.willBeginFullScan(.eventsLost))
    mailbox.put(.didCompleteFullScan(summary))
    #expect(everything(in: &mailbox) == [.scan, .scan])
  }

  @Test func aScanThatHasBegunIsToldToEnd() {
    var mailbox = Mailbox(limit: 10)
    mailbox.put(.willBeginFullScan(.eventsLost))
    for number in 0..<Self.limit { mailbox.put(diagnostic(number)) }
    mailbox.put(.didCompleteFullScan(summary))
    #expect(messages(in: &mailbox).last == "scan")
  }

  private var summary: FileSystemObserver.ScanSummary {
    FileSystemObserver.ScanSummary(
      reason: .eventsLost, itemCount: 0, directoryCount: 0, taggedCount: 0, duplicateCount: 0, skipped: [:],
      duration: .zero)
  }
}
