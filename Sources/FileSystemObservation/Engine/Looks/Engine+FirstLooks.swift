import FileEvents
import LinuxFileSystem

// The first looks at the new files of a burst may wait, see Classifier+FirstLooks.

extension Engine {
  /// Whether many files arrive, whose kinds need not be known, and nothing is in doubt.
  var mayPostponeLooks: Bool {
    guard !settings.filter.needsKinds else { return false }
    return state.classify { $0.pendingArrivalCount >= settings.burst && $0.isCalm }
  }

  /// Puts off the first look at a place.
  ///
  /// - Returns: Whether the look waits.
  func postpone(_ place: Place, _ kinds: HintKinds) -> Bool {
    guard state.classify({ $0.postponeFirstLook(at: place, kinds) }) else { return false }
    postponedLooks.append(place)
    return true
  }

  /// Makes the looks that were put off, as soon as anything is in doubt.
  func lookAtPostponed(_ now: MonotonicTime) {
    guard !postponedLooks.isEmpty else { return }
    if state.classify({ $0.isCalm }) { return forgetLooksMade() }
    let places = postponedLooks
    postponedLooks = []
    for place in places where state.classify({ $0.endFirstLook(at: place) }) { lookIfLive(place, .hint(.created), now) }
  }

  /// Most of the list must not be of places that were looked at since.
  private func forgetLooksMade() {
    let waiting = state.classify { $0.pendingArrivalCount }
    guard postponedLooks.count > 2 * waiting + 64 else { return }
    postponedLooks = state.classify { classifier in postponedLooks.filter { classifier.awaitsFirstLook(at: $0) } }
  }
}
