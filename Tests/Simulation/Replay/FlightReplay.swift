import FileEvents
import FileSystemObservation
import LinuxFileSystem
import SystemPackage

/// Has an engine take a recording in again: the same hints at the same times, and the same answers to what it asks.
package struct FlightReplay {
  /// What came of a replay.
  package struct Outcome: Sendable {
    /// The decisions of the recording, and those of the replay, one a line.
    package var recorded: [String]
    package var replayed: [String]
    /// Questions that the recording does not answer for the step in which they were asked.
    package var newQuestions: Int
    /// Why the replay ended early, or may differ for another reason than a change of the rules.
    package var remarks: [String] = []

    package var isSame: Bool { recorded == replayed }
  }

  private typealias RecordedEngine = Engine<RecordedFileSystem, RecordedSource>

  private let text: FlightText

  package init(_ text: FlightText) {
    self.text = text
  }

  /// Replays the recording.
  ///
  /// - Throws: An error of the engine's start.
  package func run() throws -> Outcome {
    let world = RecordedWorld(text)
    let source = RecordedSource(world)
    let recorder = FlightRecorder(capacity: 1 << 18)
    let engine = try makeEngine(world, source, recorder)
    var remarks = self.remarks
    let steps = RecordedSteps(text.steps[...], world)
    while let step = steps.beginNext() {
      guard perform(step, steps, engine) else {
        remarks.append("ends at record \(step.begin.number ?? 0): this operation of the program is not recorded")
        steps.putBack(step)
        break
      }
    }
    let done = text.steps.prefix(text.steps.count - steps.rest.count)
    let replayed = try FlightText(recorder.text()).steps
    return Outcome(
      recorded: Self.decisions(done), replayed: Self.decisions(replayed[...]), newQuestions: world.newQuestions,
      remarks: remarks)
  }

  private var remarks: [String] {
    var remarks: [String] = []
    if text.areNamesHidden { remarks.append("names are hidden: what depends on names may differ") }
    if text.hasOwnNamePatterns { remarks.append("the program's own patterns of backup names are not in the recording") }
    return remarks
  }

  private func makeEngine(
    _ world: RecordedWorld, _ source: RecordedSource, _ recorder: FlightRecorder
  ) throws -> RecordedEngine {
    var settings = RecordedEngine.Settings(
      path: text.path, recorded: text.settings.allFields, excluded: text.patterns("excluded"),
      included: text.patterns("included"), selected: SelectedFolders(text.patterns("selected").map { Array($0.utf8) }))
    settings.recorder = recorder
    let engine = try RecordedEngine(files: RecordedFileSystem(world), source: source, settings: settings) { _ in }
    engine.hasPendingHints = { _ in source.hasPending }
    engine.assertsInvariants = false
    return engine
  }

  /// Does a step; whether that is possible.
  private func perform(_ step: FlightText.Step, _ steps: RecordedSteps, _ engine: RecordedEngine) -> Bool {
    let time = MonotonicTime(nanoseconds: step.begin.number("at"))
    if text.settings.isSet("store") {
      // Tags of copies wait until they were written in the recording, too.
      engine.noteStored(through: step.lines.contains { $0.kind == "tag" } ? .max : 0)
    }
    switch step.begin["kind"] {
    case "start": engine.scanFirst(at: time)
    case "hints": engine.handle(Self.batch(step), isLast: step.begin.isSet("last"), at: time)
    case "deadlines": engine.advance(to: time)
    case "rescan":
      engine.rescan(FileSystemObserver.ScanReason(rawValue: step.begin["reason"]) ?? .eventsLost, at: time)
    case "own":
      guard let operation = OwnOperation(step) else { return false }
      repeatOperation(operation, from: time, steps, engine)
    default: return false
    }
    return true
  }

  /// Repeats an operation of the program.
  ///
  /// The hints that were handled before and after its system calls are steps of their own in the recording.
  private func repeatOperation(
    _ operation: OwnOperation, from start: MonotonicTime, _ steps: RecordedSteps, _ engine: RecordedEngine
  ) {
    var (first, isCommitted): (MonotonicTime?, Bool) = (start, false)
    let handleAll = {
      while let step = steps.beginNextDuringOperation(isCommitted: isCommitted) { _ = perform(step, steps, engine) }
    }
    // An operation may have failed in the recording, too.
    try? engine.perform(operation, clock: { first.take() ?? steps.clock }, handleAll: handleAll) { () throws(Errno) in
      isCommitted = true
      guard let step = steps.current else { throw .canceled }
      return try CommittedItem(step)
    }
  }

  private static func batch(_ step: FlightText.Step) -> HintBatch {
    let hints = step.lines.filter { $0.kind == "hint" }.map(Hint.init)
    let loss: Int = step.begin.number("loss")
    var batch = HintBatch(first: step.begin.number("first"))
    for (index, hint) in hints.enumerated() {
      if index == loss { batch.noteLoss() }
      batch.append(HintBatch(hints: [hint], first: batch.next))
    }
    if loss >= 0 { batch.noteLoss() }
    batch.next = step.begin.number("next")
    return batch
  }

  private static func decisions(_ steps: ArraySlice<FlightText.Step>) -> [String] {
    steps.flatMap { step in
      step.lines.filter { $0.kind == "decision" }.map { line in
        "\(step.begin["at"]) \(line["what"]) \(line["why"]) \(line["uuid"]) \(line["name"])"
      }
    }
  }
}

extension Hint {
  /// The hint of a line.
  fileprivate init(_ line: RecordedLine) {
    let inode: UInt64? = line.optional("inode")
    self.init(
      directory: MarkID(rawValue: line.number("mark")),
      kinds: HintKinds(rawValue: Self.bits(line["kinds"], HintKinds.names)),
      traits: HintTraits(rawValue: UInt8(truncatingIfNeeded: Self.bits(line["traits"], HintTraits.names))),
      cookie: line.number("cookie"), name: line.name.map { FileName(bytes: $0) },
      file: inode.map { HintedFile(handle: FileHandle(digest: Digest(high: line.number("handle"), low: 0)), inode: $0) }
    )
  }

  private static func bits(_ words: String, _ names: [String]) -> UInt16 {
    words.split(separator: "+").reduce(0) { bits, word in
      names.firstIndex(of: String(word)).map { bits | 1 << UInt16($0) } ?? bits
    }
  }
}
