import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

// The requests of the classifier.

extension Engine {
  /// Performs requests until there are none: answers may lead to more.
  func performRequests(_ now: MonotonicTime) {
    while true {
      let requests = state.classify(at: now) { classifier in
        classifier.takeRequests()
      }
      if requests.isEmpty { return }
      for request in requests { perform(request, now) }
    }
  }

  private func perform(_ request: Request, _ now: MonotonicTime) {
    switch request {
    case .look(let question): look(for: question, isVerified: false, now)
    case .lookAt(let id): lookIfLive(id, now)
    case .verify(let entries, let question):
      if verify(entries, now) { look(for: question, isVerified: true, now) } else { postpone(question, now) }
    case .readContent(let place, let entry): readContent(at: place, entry, now)
    case .examine(let id): examine(id, now)
    case .writeTag(let id, let claiming): writeTagWhenStored(id, claiming, now)
    case .writeTagInTime(let id, let claiming): writeTagInTime(id, claiming, now)
    case .restoreTag(let id):
      if writeTag(id, false, now) { restoredTags.insert(id) }
    case .scan(let id): scanDirectory(id, now)
    case .scanAnew(let id):
      if isDirectory(id) { noteNeedsListing(id) }
      scanDirectory(id, now)
    case .moved(let id): rescanIfNeeded(id, now)
    case .awaitCopies(let id): awaitCopies(in: id, now)
    case .forget(let id): forget(id)
    case .reportLoop(let place): reportLoopIfAny(place, now)
    }
  }

  private func lookIfLive(_ id: NodeID, _ now: MonotonicTime) {
    if let place = place(of: id) { lookIfLive(place, .check, now) }
  }

  private func awaitCopies(in id: NodeID, _ now: MonotonicTime) {
    let folders = state.classify(at: now) { $0.awaitCopies(in: id) }
    for folder in folders { forget(folder) }
    if !folders.isEmpty { noteNeedsListing(id) }
  }

  private func reportLoopIfAny(_ place: Place, _ now: MonotonicTime) {
    guard isAtAnotherPlace(place) else { return state.classify { $0.scheduleRecheck(at: place, after: now) } }
    reportLoop(place)
    state.classify(at: now) { $0.endCovered(at: place) }
  }

  private func look(for question: Question, isVerified: Bool, _ now: MonotonicTime) {
    switch question {
    case .place(let place, let cause): lookIfLive(place, cause, isVerified: isVerified, now)
    case .arrival(let place):
      let mustProbe = !isVerified || state.classify { $0.mustProbeWriters(at: place) }
      finish(place, mustProbe, isVerified: isVerified, now)
    case .writing(let id):
      checkWriting(id, state.classify { $0.mustProbeWriters(of: id) }, isVerified: isVerified, now)
    }
  }

  /// Decides later, because the next hints may explain what was found.
  private func postpone(_ question: Question, _ now: MonotonicTime) {
    switch question {
    case .place(let place, _): awaitRecord(of: place, now)
    case .arrival(let place): state.classify(at: now) { $0.finishLater(place) }
    case .writing(let id): state.classify(at: now) { $0.settleWritingLater(id) }
    }
  }

  private func awaitRecord(of place: Place, _ now: MonotonicTime) {
    let found = probe(place)
    if case .unreachable = found { return }
    state.classify(at: now) { $0.awaitRecord(place, found.entry?.key) }
  }
}
