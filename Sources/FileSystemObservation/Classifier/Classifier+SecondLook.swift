import LinuxFileSystem

// Places where something was in doubt are looked at once more, when all is over.

extension Classifier {
  /// What was decided about a place rested on hints and on what was found while things happened: it is held against the
  /// disk later.
  mutating func lookAgain(at place: Place, after time: MonotonicTime) {
    secondLooks.insert(place)
    timers.schedule(.secondLook(place), at: time + timing.settle)
  }

  /// Looks at a place, unless something is in doubt there again.
  mutating func takeSecondLook(at place: Place, _ now: MonotonicTime) {
    guard secondLooks.contains(place) else { return }
    if isInDoubt(place) { return lookAgain(at: place, after: now) }
    secondLooks.remove(place)
    requests.append(.look(place, .check))
  }

  private func isInDoubt(_ place: Place) -> Bool {
    if arrivals[place] != nil || held[place] != nil || unexplained[place] != nil { return true }
    return graph.node(at: place).map { displaced[$0] != nil } ?? false
  }
}
