import FileEvents
import FileIdentity
import LinuxFileSystem

// The first looks at the new files of a burst. A file is looked at when the kernel has announced it, and again when it
// may be complete. The first look only matters while something is in doubt: the file may be an entry that is missing
// elsewhere. So it waits until then, or is made together with the last.

extension Classifier {
  /// Whether nothing is in doubt that a look at a new file could explain.
  var isCalm: Bool {
    unresolved.isEmpty && pendingRenames.isEmpty && aheadOfLog.isEmpty && unorderedPlaces.isEmpty
      && waitingDirectories.isEmpty && own == nil && !coverage.isRescanning
  }

  /// Puts off the first look at a place, if all hints say that a file was made there and closed.
  ///
  /// - Returns: Whether the look waits.
  mutating func postponeFirstLook(at place: Place, _ kinds: HintKinds) -> Bool {
    guard kinds.contains(.created), kinds.isSubset(of: [.created, .written, .closed, .attributes]),
      let arrival = arrivals[place], arrival.isPlain, graph.node(at: place) == nil
    else { return false }
    if !arrival.awaitsFirstLook { arrivals.setAwaitsFirstLook(true, at: place) }
    return true
  }

  /// Whether the first look at an arrival was put off, and has not been made since.
  func awaitsFirstLook(at place: Place) -> Bool { arrivals[place]?.awaitsFirstLook ?? false }

  /// The first look at an arrival is made.
  ///
  /// - Returns: Whether it had been put off.
  mutating func endFirstLook(at place: Place) -> Bool {
    guard awaitsFirstLook(at: place) else { return false }
    arrivals.setAwaitsFirstLook(false, at: place)
    return true
  }

  /// Whether the last look at an arrival is its first as well, and finds nothing but a new file.
  func isFirstLook(at arrival: Arrival, _ entry: Entry) -> Bool {
    arrival.awaitsFirstLook && entry.kind == .file && entry.tag.uuid == nil && graph.node(with: entry.key) == nil
  }

  /// Takes in the first look at an arrival as if it had not been put off, unless it finds nothing but a new file.
  mutating func takeFirstLook(_ entry: Entry, at place: Place) {
    guard let arrival = arrivals[place], !isFirstLook(at: arrival, entry), endFirstLook(at: place) else { return }
    observe(Look(place: place, entry: entry, cause: .hint(.created)))
  }
}

extension Arrival {
  /// Whether the kernel has said that it was made and closed, and nobody has looked at it.
  fileprivate var isPlain: Bool {
    entry == nil && key == .unseen && previous == nil && activity.isClosed && !activity.cameByRename
      && !activity.isKnownInode
  }
}
