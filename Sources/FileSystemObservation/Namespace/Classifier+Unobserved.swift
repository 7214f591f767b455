import FileIdentity
import LinuxFileSystem

// Places that the filter leaves out: by another filter than before, or since their folder was moved.

extension Classifier {
  /// Places where something is in doubt, and what is there as far as that is known.
  var undecidedPlaces: [(Place, FileKind?)] {
    let found = aheadOfLog.allPlaces.map { place in
      (place, aheadOfLog.key(at: place).flatMap { graph.node(with: $0) }.map { graph[$0].kind })
    }
    let believed = unresolved.believedPlaces.map { place in
      (place, unresolved.entry(at: place).map { graph[$0].kind })
    }
    return pendingArrivals + found + believed
  }

  /// Forgets what is believed at a place that is not observed: an entry that went there has left the tree.
  ///
  /// Nothing would ever decide it, because such a place is not looked at.
  mutating func leave(_ place: Place) {
    dropArrival(at: place)
    if let id = missingEntry(foundAt: place) ?? unresolved.entry(at: place) {
      unresolved[id]?.leftByRename = true
      setBelievedLocation(of: id, .outside)
    }
    aheadOfLog.remove(place)
    noteProbed(place)
  }

  /// Places where listings or looks found something that the graph has elsewhere, or missed something.
  var findsInOrder: [Place] { aheadOfLog.allPlaces.sorted() }

  /// Those of them that are due, and where a missing directory was found.
  var foundFoldersInOrder: [Place] {
    let found = aheadOfLog.allPlaces.filter { place in
      aheadOfLog.due(place).map { $0 <= now } ?? false && missingFolder(foundAt: place) != nil
    }
    return found.sorted()
  }

  /// Takes note whether a missing directory was found, and that is not decided: what is in it is not known.
  mutating func noteFoundFolders() {
    aheadOfLog.hasFolders = aheadOfLog.allPlaces.contains { place in
      let since = missingFolder(foundAt: place).flatMap { unresolved[$0]?.since }
      return since.map { now - $0 < timing.unprovenQuiet } ?? false
    }
  }

  private func missingFolder(foundAt place: Place) -> NodeID? {
    missingEntry(foundAt: place).flatMap { isDirectory($0) ? $0 : nil }
  }

  /// The missing entry whose inode a look found at a place.
  private func missingEntry(foundAt place: Place) -> NodeID? {
    guard let key = aheadOfLog.key(at: place), let known = graph.node(with: key) else { return nil }
    return graph.names(of: known, with: .unresolved).first { isMissing($0) }
  }
}
