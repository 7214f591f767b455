import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

// Following up hints.

extension Engine {
  /// Follows up a batch of hints, and publishes what they meant as one change set.
  ///
  /// - Parameter isLast: Whether no more hints are at hand: what none has explained is then looked at again.
  func handle(_ batch: HintBatch, isLast: Bool = true, at now: MonotonicTime) {
    var index = 0
    while index < batch.hints.count {
      let mayBeExchange = Self.isExchange(batch.hints, at: index)
      let wasExchange = handle(batch.hints[index], mayBeExchange: mayBeExchange, now)
      performRequests(now)
      if isRootLost { return }
      // The other half of an exchange says the same from the other side.
      index += wasExchange ? 3 : 1
    }
    if isLast { state.classify { $0.lookAtUnexplained() } }
    performRequests(now)
    publish()
  }

  /// Whether the end of a rename is followed by the whole rename the other way, as the kernel tells `RENAME_EXCHANGE`.
  ///
  /// What is on disk does not show it any more when the names have been used again since.
  private static func isExchange(_ hints: [Hint], at index: Int) -> Bool {
    guard index > 0, index + 2 < hints.count, hints[index].kinds.contains(.movedTo) else { return false }
    let (from, to) = (hints[index - 1], hints[index])
    let (backFrom, backTo) = (hints[index + 1], hints[index + 2])
    return from.kinds.contains(.movedFrom) && from.cookie == to.cookie && backFrom.kinds.contains(.movedFrom)
      && backTo.kinds.contains(.movedTo) && backFrom.cookie == backTo.cookie
      && backFrom.directory == to.directory && backFrom.name == to.name
      && backTo.directory == from.directory && backTo.name == from.name
  }

  /// Follows up one hint.
  ///
  /// Says whether it and the next two were one exchange.
  private func handle(_ hint: Hint, mayBeExchange: Bool, _ now: MonotonicTime) -> Bool {
    if ancestorMarks.contains(hint.directory) { checkRoot(now) }
    // A hint of a directory that is not observed any more is normal: it was on its way.
    guard let directory = markedDirectories[hint.directory] else { return false }
    guard let name = hint.name else {
      handleSelf(hint, directory, now)
      return false
    }
    if isDisplaced(directory) {
      staleDirectories.insert(directory)
      return false
    }
    let place = Place(parent: directory, name: name)
    if isExcluded(place) {
      handleExcluded(hint, place, now)
      return false
    }
    if hint.kinds.contains(.movedTo) { return arrive(at: place, hint.cookie, mayBeExchange: mayBeExchange, now) }
    handle(hint, place, now)
    return false
  }

  private func handle(_ hint: Hint, _ place: Place, _ now: MonotonicTime) {
    if hint.kinds.contains(.movedFrom) {
      state.classify { $0.depart(from: place, cookie: hint.cookie, at: now) }
    } else if hint.kinds.isDisjoint(with: [.created, .removed, .attributes]),
      state.classify({ $0.noteWriting(at: place, kinds: hint.kinds, now) })
    {
      return
    } else {
      look(at: place, .hint(hint.kinds), now)
    }
  }

  /// Both ends of a rename are looked at, for the name it left may have been taken already.
  private func arrive(at place: Place, _ cookie: UInt32, mayBeExchange: Bool, _ now: MonotonicTime) -> Bool {
    let origin = state.classify { $0.origin(of: cookie) }
    let new = probe(place)
    let old = origin.map { probe($0) } ?? .absent
    if case .unreachable = new {
      noteStale(place.parent, now)
      return false
    }
    return state.classify {
      $0.arrive(at: place, cookie: cookie, new.entry, atOldPlace: old.entry, isExchange: mayBeExchange, at: now)
    }
  }

  /// A name that is not observed matters only as the source of a rename: what comes from it is no newcomer from outside.
  ///
  /// And what went to it may have changed places with it: something else is at the old name then.
  private func handleExcluded(_ hint: Hint, _ place: Place, _ now: MonotonicTime) {
    if hint.kinds.contains(.movedFrom) {
      state.classify { $0.depart(from: place, cookie: hint.cookie, at: now) }
    } else if hint.kinds.contains(.movedTo), let origin = state.classify({ $0.origin(of: hint.cookie) }) {
      look(at: origin, .arrivedByRename(fromOutside: false), now)
    }
  }

  private func handleSelf(_ hint: Hint, _ directory: NodeID, _ now: MonotonicTime) {
    if directory == .root {
      if !hint.kinds.isDisjoint(with: [.selfRemoved, .selfMoved, .unmounted, .markGone]) { checkRoot(now) }
      return
    }
    if hint.kinds.contains(.markGone) {
      markedDirectories[hint.directory] = nil
      if marks[directory] == hint.directory { marks[directory] = nil }
    }
    guard !hint.kinds.isDisjoint(with: [.selfRemoved, .unmounted]) else { return }
    let place = state.classify { $0.graph.isLive(directory) ? $0.graph.place(directory) : nil }
    if let place { look(at: place, .check, now) }
  }

  /// Whether a directory, or one above it, is missing: then nothing below it can be looked at.
  private func isDisplaced(_ directory: NodeID) -> Bool {
    state.classify { classifier in
      guard !classifier.displaced.isEmpty else { return false }
      var current = directory
      while current != .root {
        if classifier.displaced[current] != nil { return true }
        current = classifier.graph[current].parent
      }
      return false
    }
  }

  func isExcluded(_ place: Place) -> Bool {
    let path = settings.filter.needsPaths ? relativePath(place.parent) : []
    return place.name.withView { settings.filter.reasonToSkip($0, in: path) } != nil
  }

  func relativePath(_ id: NodeID) -> [UInt8] {
    state.classify { classifier in
      var bytes: [UInt8] = []
      classifier.graph.storage.appendPath(of: id, to: &bytes)
      return bytes
    }
  }
}

extension Engine.Probe {
  /// What is there, if anything is known to be.
  var entry: Entry? {
    if case .entry(let entry) = self { entry } else { nil }
  }
}
