import FileEvents
import FileIdentity
import LinuxFileSystem

// Looks that find an inode where the graph has none, or another.

extension Classifier {
  /// Takes in an inode that is not the announced one.
  mutating func observeUnknownInode(_ entry: Entry, over occupant: NodeID?, _ look: Look) {
    var occupant = occupant
    if occupant == nil, let holder = unresolved.entry(at: look.place), !isInode(entry, of: holder) {
      // The entry that was renamed here was replaced here: this is its next version.
      announceRename(ofEntryAt: look.place)
      occupant = graph.node(at: look.place)
    }
    if let occupant, unresolved[occupant] == nil {
      // An inode that was never seen cannot be found elsewhere, unless a hint names it.
      let cannotBeFound = graph.key(occupant) == .unseen && !hasReportedVersion(occupant)
      markUnresolved(occupant, cannotBeFound ? .gone : .unknown, leftByRename: false)
      lookWhereItWas(occupant)
    }
    if let holder = unresolved.entry(at: look.place), isInode(entry, of: holder) {
      return dropArrival(at: look.place)
    }
    if let known = graph.node(with: entry.key) {
      return observeKnownInode(known, entry, over: occupant, look)
    }
    if entry.kind == .directory {
      observeNewDirectory(entry, over: occupant, look)
    } else {
      noteArrival(entry, look)
    }
  }

  /// Whether this is the inode of an entry that is believed here; an unseen entry takes it over.
  private mutating func isInode(_ entry: Entry, of holder: NodeID) -> Bool {
    if mayHaveInode(holder, of: entry), !isReported(entry, asAnotherThan: holder) {
      graph.setInode(holder, entry.key)
    }
    return graph.key(holder) == entry.key
  }

  private mutating func noteArrival(_ entry: Entry, _ look: Look) {
    if let known = arrivals[look.place], known.key == .unseen || known.key == entry.key {
      updateArrival(entry, look)
    } else {
      // The arrival that was renamed here may be back at its former place.
      if let previous = arrivals[look.place]?.previous { placesToInspect.insert(previous, []) }
      var arrival = Arrival(entry, activity(of: entry, look))
      if isBrought(entry, look) { arrival.broughtAs = look.place.name }
      arrival.absentItem = absentItem(entry, look)
      put(arrival, at: look.place)
    }
    continueIdentity(at: look.place)
  }

  func activity(of entry: Entry, _ look: Look) -> WriteActivity {
    let kinds = look.cause.kinds
    var activity = WriteActivity(entry, at: now, nextCheck: now + timing.quiet)
    activity.isClosed = entry.kind == .symlink || kinds.contains(.closed)
    activity.isWritten = kinds.contains(.written)
    activity.wasFound = !kinds.hasAny(of: .appearances)
    if isFoundLate(look.place, look.cause) { activity.recovery = coverage.recovery }
    if look.cause == .scan || look.cause == .check, !entry.isRecent {
      activity.lastActivity = now + -timing.partialQuiet
      activity.nextCheck = now
    }
    activity.isRevealed = isRevealing && look.cause == .scan
    return activity
  }

  private mutating func updateArrival(_ entry: Entry, _ look: Look) {
    guard var arrival = takeArrival(at: look.place) else { return }
    if look.cause.kinds.hasAny(of: .contentChanges) {
      arrival.activity.noteActivity(look.cause.kinds, now, quiet: timing.quiet)
      arrival.activity.nextCheck = now + timing.quiet
    }
    if entry.kind == .symlink { arrival.activity.isClosed = true }
    noteLook(&arrival.activity, entry)
    arrival.take(entry)
    put(arrival, at: look.place)
  }
}
