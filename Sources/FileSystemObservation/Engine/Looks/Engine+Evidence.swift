import FileEvents
import FileIdentity
import LinuxFileSystem

// Contents: which files are read, when, and what becomes of the answers.

extension Engine {
  /// Has the content of a new file read, since a decision waits for it.
  func readContent(at place: Place, _ entry: Entry, _ now: MonotonicTime) {
    let question = ContentQuestion(
      id: nil, name: place.name, key: entry.key, size: entry.size, modified: entry.modified)
    guard let contentService, let directory = directory(place.parent),
      files.mayReadContents(in: directory)
    else {
      return take([ContentAnswer(question: question, outcome: .unreadable)], ofPass: false, now)
    }
    contentService.read([(question, directory)], true)
  }

  /// Takes in what files contain.
  func take(_ answers: [ContentAnswer], ofPass: Bool, _ now: MonotonicTime) {
    state.classify(at: now) { classifier in
      for answer in answers { classifier.take(answer) }
    }
    if ofPass {
      contentPass.endGroup(
        read: answers.compactMap(\.question.id),
        changed: answers.filter { $0.outcome == .changed }.compactMap(\.question.id), at: now,
        orLater: now + contentDelay)
      contentsDidChange()
    }
    performRequests(now)
  }
}

// MARK: - Reading when nothing happens

extension Engine {
  /// Reads the next files, if nothing has happened for a while.
  func readNextContents(_ now: MonotonicTime) {
    guard let contentService, let due = contentPass.due, due <= now else { return }
    let isPatient = contentPass.waitingSince.map { now - $0 < ContentPass.patience } ?? true
    if resumption != nil || isRootLost { return contentPass.due = now + contentDelay }
    if isPatient, let later = mustLeaveContents(now) { return contentPass.wait(until: later, at: now) }
    let files = state.classify { contentPass.takeFiles(of: $0) }
    let questions = files.compactMap(question)
    guard !questions.isEmpty else {
      contentPass.goOn(at: now, orLater: now + contentDelay)
      return contentPass.isComplete ? endContentPass() : ()
    }
    contentPass.begin(questions.compactMap(\.0.id), isDetermined: !isPatient)
    contentService.read(questions, false)
  }

  /// How long nothing must have happened, in nanoseconds.
  private var contentDelay: Int64 { contentWaiters.isEmpty ? contentPass.delay : ContentPass.hurriedDelay }

  /// Until when nothing is read; `nil` if nothing happens.
  private func mustLeaveContents(_ now: MonotonicTime) -> MonotonicTime? {
    let quiet = lastHints + contentDelay
    if quiet > now { return quiet }
    return state.classify { $0.isAtRest } && carried.hints.isEmpty ? nil : now + contentDelay
  }

  private func question(about id: NodeID) -> (ContentQuestion, Files.Directory)? {
    let question = state.classify { classifier -> (NodeID, ContentQuestion)? in
      let graph = classifier.graph
      guard graph.isLive(id) else { return nil }
      let content = graph.content(of: id)
      let question = ContentQuestion(
        id: id, name: graph.name(id), key: graph.key(id), size: content.size, modified: content.modified)
      return (graph[id].parent, question)
    }
    guard let (parent, question) = question else { return nil }
    guard let directory = directory(parent) else {
      contentPass.leaveOut(id)
      return nil
    }
    // An open file keeps its file system from being unmounted.
    guard files.mayReadContents(in: directory), files.mayStayOpen(directory) else {
      state.classify { $0.noteUnreadable(id) }
      return nil
    }
    return (question, directory)
  }

  /// Something happens: what nobody waits for is read later.
  func leaveContents() {
    if contentPass.isReading, !contentPass.isGroupDetermined { contentService?.pause() }
  }

  /// What has changed is read later.
  func planContents(of log: ChangeLog, _ now: MonotonicTime) {
    guard contentService != nil else { return }
    let files = log.records.filter { $0.itemKind == .file && $0.kind != .deleted && $0.kind != .unlinked }
    if !files.isEmpty { contentPass.want(files.map(\.node), at: now + contentDelay) }
  }

  /// Reads all contents that can be read without waiting for a quiet moment, and then calls `body`.
  func readAllContents(_ now: MonotonicTime, then body: @escaping @Sendable () -> Void) {
    guard contentService != nil else { return body() }
    contentWaiters.append(body)
    contentPass.want([], at: now)
  }

  /// All contents are read, or observation ends.
  func endContentPass() {
    defer { contentWaiters = [] }
    for waiter in contentWaiters { waiter() }
  }
}
