import FileIdentity
import LinuxFileSystem
import SystemPackage

import struct Synchronization.Atomic

/// Reads contents and makes their digests, on a thread of its own, one file after the other.
///
/// The thread begins with the first question.
final class ContentReader: Sendable {
  typealias Question = (ContentQuestion, DirectoryHandle)

  private struct Group: Sendable {
    var questions: [Question]
    var answer: @Sendable ([ContentAnswer]) -> Void
  }

  private struct State: Sendable {
    var groups: [Group] = []
    var thread: NativeThread?
    var isEnded = false
  }

  private let digesting: any ContentDigesting
  /// Whether it takes only what others leave of processors and disks.
  private let yields: Bool
  private let state = Mutex(State())
  private let signal: WakeSignal
  /// Whether the present group ends early.
  private let isPaused = Atomic(false)
  private let isEnded = Atomic(false)

  init(_ digesting: any ContentDigesting, yields: Bool) throws(Errno) {
    self.digesting = digesting
    self.yields = yields
    signal = try WakeSignal()
  }

  // MARK: - On other threads

  /// Has files read.
  ///
  /// - Parameter answer: Called once on the reader's thread, with an answer to each question that was come to.
  func read(_ questions: [Question], _ answer: @escaping @Sendable ([ContentAnswer]) -> Void) {
    isPaused.store(false, ordering: .releasing)
    let isTaken = state.withLock { state in
      guard !state.isEnded else { return false }
      if state.thread == nil { state.thread = try? NativeThread(name: "fso-contents") { [self] in run() } }
      if state.thread != nil { state.groups.append(Group(questions: questions, answer: answer)) }
      return state.thread != nil
    }
    if isTaken { signal.send() } else { answer(questions.map { ContentAnswer(question: $0.0, outcome: .changed) }) }
  }

  /// Ends the reading of the present group, in the middle of a file if need be.
  func pause() { isPaused.store(true, ordering: .releasing) }

  /// Has the thread end, in the middle of a file; no answer comes after that.
  func end() {
    isEnded.store(true, ordering: .releasing)
    state.withLock { state in
      state.isEnded = true
      state.groups = []
    }
    signal.send()
  }

  /// Has the thread end, and waits for it; one that is stuck in the kernel is left behind.
  func stop(until deadline: MonotonicTime = .now + longestFarewell) {
    end()
    state.withLock { $0.thread.take() }?.join(until: deadline)
  }

  // MARK: - On the reader's thread

  private func run() {
    if yields { NativeThread.yieldToOthers() }
    while !isEnded.load(ordering: .acquiring) {
      guard let group = state.withLock({ $0.groups.isEmpty ? nil : $0.groups.removeFirst() }) else {
        signal.wait(nanoseconds: nil)
        continue
      }
      var answers: [ContentAnswer] = []
      for question in group.questions {
        if mustEnd { break }
        if let answer = answer(question) { answers.append(answer) }
      }
      if !isEnded.load(ordering: .acquiring) { group.answer(answers) }
    }
  }

  private var mustEnd: Bool { isPaused.load(ordering: .acquiring) || isEnded.load(ordering: .acquiring) }

  /// Reads a file; `nil` if the reading was ended.
  private func answer(_ question: Question) -> ContentAnswer? {
    let (question, directory) = question
    do throws(Errno) {
      let found = try question.name.withView { (name) throws(Errno) -> ContentDigest? in
        try digest(of: ContentReading.open(name, in: directory.descriptor) { question.isAbout($0) })
      }
      if mustEnd { return nil }
      return ContentAnswer(question: question, outcome: found.map { .digest($0) } ?? .changed)
    } catch {
      let isPassing: [Errno] = [
        .invalidArgument, .noSuchFileOrDirectory, .resourceTemporarilyUnavailable, .tooManyOpenFiles,
        .tooManyOpenFilesInSystem, .noMemory, .tooManySymbolicLinkLevels,
      ]
      return ContentAnswer(question: question, outcome: isPassing.contains(error) ? .changed : .unreadable)
    }
  }

  /// The digest of an open file; `nil` if it has changed meanwhile, or the reading was ended.
  private func digest(of reading: consuming ContentReading) throws(Errno) -> ContentDigest? {
    guard let digest = digesting.begin() else { return nil }
    let isWhole = unsafe try reading.forEachPart { part in unsafe digest.append(part) && !mustEnd }
    return isWhole ? digest.finish() : nil
  }
}

/// The readers of one run: one for what decisions wait for, and one for the rest.
final class ContentReaders: Sendable {
  private let urgent: ContentReader
  private let patient: ContentReader

  init(_ digesting: any ContentDigesting) throws(Errno) {
    urgent = try ContentReader(digesting, yields: false)
    patient = try ContentReader(digesting, yields: true)
  }

  /// What an engine asks.
  ///
  /// - Parameter answer: Takes answers, and whether they are those of the pass that nobody waits for.
  func service(
    _ answer: @escaping @Sendable ([ContentAnswer], _ isOfPass: Bool) -> Void
  ) -> ContentService<DirectoryHandle> {
    ContentService(
      read: { [urgent, patient] questions, isUrgent in
        (isUrgent ? urgent : patient).read(questions) { answer($0, !isUrgent) }
      }, pause: { [patient] in patient.pause() })
  }

  /// Has the threads end; see `ContentReader.end()`.
  func end() {
    urgent.end()
    patient.end()
  }

  func stop(until deadline: MonotonicTime) {
    end()
    urgent.stop(until: deadline)
    patient.stop(until: deadline)
  }
}
