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
      if state.classify({ $0.coverage.count(of: .needsListing) > 0 }) {
        for case .moved(let id, let former) in requests { carryNeedsListing(to: id, from: former) }
      }
      for request in requests { perform(request, now) }
    }
  }

  private func perform(_ request: Request, _ now: MonotonicTime) {
    switch request {
    case .look(let place, let cause): lookIfLive(place, cause, now)
    case .lookAt(let id):
      let place = state.classify { $0.graph.isLive(id) ? $0.graph.place(id) : nil }
      if let place { lookIfLive(place, .check, now) }
    case .verify(let entries, let place, let cause):
      if verify(entries, now) {
        lookIfLive(place, cause, isVerified: true, now)
      } else {
        _ = probeForDecision(place, now)
      }
    case .finish(let place): finish(place, true, isVerified: false, now)
    case .verifyThenFinish(let entries, let place, let probesWriters):
      guard verify(entries, now) else { return state.classify(at: now) { $0.finishLater(place) } }
      finish(place, probesWriters, isVerified: true, now)
    case .checkWriting(let id, let probesWriters): checkWriting(id, probesWriters, isVerified: false, now)
    case .verifyThenCheckWriting(let entries, let id):
      guard verify(entries, now) else { return state.classify(at: now) { $0.settleWritingLater(id) } }
      checkWriting(id, state.classify { $0.isInDoubt(id) }, isVerified: true, now)
    case .readContent(let place, let entry): readContent(at: place, entry, now)
    case .examine(let id): examine(id, now)
    case .writeTag(let id, let claiming): writeTag(id, claiming, now)
    case .writeTagInTime(let id, let claiming): writeTagInTime(id, claiming, now)
    case .restoreTag(let id):
      if writeTag(id, false, now) { restoredTags.insert(id) }
    case .scan(let id): scanDirectory(id, now)
    case .scanAnew(let id):
      if isDirectory(id) { noteNeedsListing(id) }
      scanDirectory(id, now)
    case .moved(let id, _): rescanIfNeeded(id, now)
    case .forget(let id): forget(id)
    case .reportLoop(let place):
      if isAtAnotherPlace(place) {
        reportLoop(place)
      } else {
        state.classify { $0.scheduleRecheck(at: place, after: now) }
      }
    }
  }
}
