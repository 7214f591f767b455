import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

// Notes of the engine and the classifier. Each call keeps one record.

extension FlightRecorder {
  /// Notes that an engine begins to work.
  func note(_ subject: Subject) {
    self.subject.withLock { known in
      let patterns = known.patterns
      known = subject
      known.patterns = patterns
    }
  }

  /// Notes the beginning of a step.
  ///
  /// - Parameter numbers: For hints, the number of the first, the number after the last, their count, and one more than
  ///   the count of those before a loss. For a scan, its reason.
  func noteStep(
    _ step: FlightStep, at time: MonotonicTime, wallClock: Int64, isLast: Bool = true,
    _ numbers: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  ) {
    stepStart = next
    keep(.step, code: step.rawValue, flags: isLast ? 1 : 0) { slot in
      slot.setSigned(0, time.nanoseconds)
      slot.setSigned(1, wallClock)
      slot[2] = numbers.0
      slot[3] = numbers.1
      slot[4] = numbers.2
      slot[5] = numbers.3
    }
  }

  /// Notes the beginning of a step with hints, and each of them.
  func noteStep(_ batch: HintBatch, isLast: Bool, at time: MonotonicTime, wallClock: Int64) {
    let loss = batch.lossIndex.map { UInt64($0) + 1 } ?? 0
    noteStep(
      .hints, at: time, wallClock: wallClock, isLast: isLast,
      (batch.first, batch.next, UInt64(batch.hints.count), loss))
    for index in batch.hints.indices { note(batch.hints[index], number: batch.first + UInt64(index)) }
    if batch.overflowed { keep(.overflow) { _ in } }
  }

  private func note(_ hint: Hint, number: UInt64) {
    let mark = UInt32(bitPattern: hint.directory.rawValue)
    func store(_ slot: AtomicWords.Slot) {
      slot[0] = number
      slot[1] = UInt64(hint.cookie)
      slot[2] = hint.file?.inode ?? 0
      slot[3] = hint.file == nil ? 0 : 1
      slot[4] = hint.file?.handle.number ?? 0
    }
    if let name = hint.name {
      keep(.hint, code: hint.traits.rawValue, flags: hint.kinds.rawValue, number: mark, named: name.span, store)
    } else {
      keep(.hint, code: hint.traits.rawValue, flags: hint.kinds.rawValue, number: mark, store)
    }
  }

  /// Notes a look at a place; `inode` is that of the directory.
  func noteLook(_ found: FlightRecord.Result, _ entry: Entry?, at place: Place, inode: UInt64, _ cause: LookReason) {
    var kinds: UInt32 = 0
    if case .hint(let hinted) = cause { kinds = UInt32(hinted.rawValue) }
    let flags = FlightRecord.EntryFlags.of(cause) | (entry.map { FlightRecord.EntryFlags.of($0) } ?? 0)
    keep(.look, code: found.rawValue, flags: flags, number: kinds, named: place.name.span) { slot in
      if let entry {
        slot.store(entry, in: place.parent, inode: inode)
      } else {
        slot.store(place.parent, inode: inode)
      }
    }
  }

  /// Notes that a look does not count before the next hints.
  func noteWait(_ place: Place) {
    keep(.waits, named: place.name.span) { $0.store(place.parent, inode: 0) }
  }

  /// Notes whether a file has writers.
  func noteLease(_ probe: WriterProbe, at place: Place, inode: UInt64) {
    keep(.lease, code: probe.code, named: place.name.span) { $0.store(place.parent, inode: inode) }
  }

  /// Notes that a directory was opened by its name, or could not be; `inode` is that of the directory above.
  func noteOpen(_ key: FileKey?, _ id: NodeID, named name: FileName, in inode: UInt64) {
    keep(.open, code: key == nil ? 0 : 1, named: name.span) { slot in
      slot.store(id, inode: inode)
      if let key { slot.store(key) }
    }
  }

  /// Notes the outcome of writing a tag.
  func noteTag(
    _ reason: DecisionReason, _ uuid: UUIDBits, of id: NodeID, at place: Place, inode: UInt64, error: Errno? = nil
  ) {
    keep(.tag, code: reason.rawValue, number: id.rawValue, named: place.name.span) { slot in
      slot.store(place.parent, inode: inode)
      slot.setSigned(2, Int64(error?.rawValue ?? 0))
      slot.store(uuid)
    }
  }

  /// Notes that a directory has got or lost a mark.
  func noteMark(_ mark: MarkID, of directory: (id: NodeID, inode: UInt64)?) {
    keep(directory == nil ? .unmark : .mark, number: UInt32(bitPattern: mark.rawValue)) { slot in
      if let directory { slot.store(directory.id, inode: directory.inode) }
    }
  }

  func notePublished(_ sequence: UInt64, count: Int) {
    keep(.published) { slot in
      slot[0] = sequence
      slot[1] = UInt64(count)
    }
  }

  /// Notes an answer of the source; `nil` if it does not know yet.
  func noteAnswer(_ question: FlightAnswer, _ value: UInt64?, about inode: UInt64 = 0) {
    keep(.answer, code: question.rawValue, flags: value == nil ? 0 : 1) { slot in
      slot[0] = value ?? 0
      slot[1] = inode
    }
  }
}

// MARK: - Listings

extension FlightRecorder {
  /// Notes the listing of a directory: a record for the listing, one for each entry, and one for the end.
  ///
  /// Once a scan has filled the ring, further entries are left out: its beginning is lost anyway.
  func note(_ listing: DirectoryListing, of id: NodeID, inode: UInt64) {
    keep(.scan, flags: (listing.mark == nil ? 0 : 1) | (listing.modified == nil ? 0 : 2), number: id.rawValue) { slot in
      slot.store(id, inode: inode)
      slot.setSigned(2, listing.modified ?? 0)
      slot.setSigned(3, listing.readAt)
      slot.setSigned(4, Int64(listing.failure?.rawValue ?? 0))
      slot.setSigned(5, Int64(listing.markFailure?.rawValue ?? 0))
      slot.setSigned(6, Int64(listing.mark?.rawValue ?? 0))
    }
    if next - stepStart <= capacity { noteEntries(of: listing, id, inode) }
    keep(.scanned, number: id.rawValue) { $0[0] = UInt64(listing.entries.count) }
  }

  private func noteEntries(of listing: DirectoryListing, _ id: NodeID, _ inode: UInt64) {
    let names = listing.names.span
    for scanned in listing.entries {
      let start = Int(scanned.nameStart)
      note(scanned, in: id, inode: inode, names.extracting(start..<start + Int(scanned.nameCount)))
    }
    for name in listing.unprobed {
      keep(.listed, code: FlightRecord.Result.failed.rawValue, named: listing.names.span.extracting(name)) { slot in
        slot.store(id, inode: inode)
      }
    }
  }

  @inline(__always)
  private func note(_ scanned: ScannedEntry, in id: NodeID, inode: UInt64, _ name: Span<UInt8>) {
    var flags = FlightRecord.EntryFlags.of(scanned.entry)
    if scanned.isBeingWritten { flags |= FlightRecord.EntryFlags.isBeingWritten }
    if scanned.wasTagged { flags |= FlightRecord.EntryFlags.wasTagged }
    if scanned.listing != 0 { flags |= FlightRecord.EntryFlags.isListed }
    keep(.listed, code: FlightRecord.Result.entry.rawValue, flags: flags, named: name) { slot in
      slot.store(scanned.entry, in: id, inode: inode)
    }
  }
}

// MARK: - Decisions

extension FlightRecorder {
  func note(_ decision: DecisionKind, _ reason: DecisionReason, _ id: NodeID, in graph: FileGraph) {
    let node = graph[id]
    let name = graph.storage.nameBytes(id)
    keep(.decision, code: decision.rawValue, flags: UInt16(reason.rawValue), number: id.rawValue, named: name.span) {
      slot in
      slot.store(node.parent, inode: node.inode)
      slot.store(node.uuid)
    }
  }
}

extension WriterProbe {
  fileprivate var code: UInt8 {
    switch self {
    case .nobodyWrites: 0
    case .beingWritten: 1
    case .unknown: 2
    case .failed: 3
    }
  }

  init?(code: UInt8) {
    let all: [WriterProbe] = [.nobodyWrites, .beingWritten, .unknown, .failed]
    guard Int(code) < all.count else { return nil }
    self = all[Int(code)]
  }
}
