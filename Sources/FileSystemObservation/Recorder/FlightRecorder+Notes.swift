import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

// What the engine and the classifier note. Each call keeps one record.

extension FlightRecorder {
  /// An engine begins to work.
  func note(_ subject: Subject) {
    self.subject.withLock { known in
      let patterns = known.patterns
      known = subject
      known.patterns = patterns
    }
  }

  /// A step begins.
  ///
  /// - Parameters:
  ///   - numbers: For hints, the number of the first and of the one after the last, how many there are, and one more
  ///     than how many came before a loss. For a scan, its reason.
  func noteStep(
    _ step: FlightStep, at time: MonotonicTime, wallClock: Int64, isLast: Bool = true,
    _ numbers: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  ) {
    var record = FlightRecord(.step, code: step.rawValue, flags: isLast ? 1 : 0)
    record.payload[0] = UInt64(bitPattern: time.nanoseconds)
    record.payload[1] = UInt64(bitPattern: wallClock)
    record.payload[2] = numbers.0
    record.payload[3] = numbers.1
    record.payload[4] = numbers.2
    record.payload[5] = numbers.3
    append(record)
  }

  /// A step with hints begins; each of them is noted, too.
  func noteStep(_ batch: HintBatch, isLast: Bool, at time: MonotonicTime, wallClock: Int64) {
    let loss = batch.lossIndex.map { UInt64($0) + 1 } ?? 0
    noteStep(
      .hints, at: time, wallClock: wallClock, isLast: isLast,
      (batch.first, batch.next, UInt64(batch.hints.count), loss))
    for (index, hint) in batch.hints.enumerated() { note(hint, number: batch.first + UInt64(index)) }
    if batch.overflowed { append(FlightRecord(.overflow)) }
  }

  private func note(_ hint: Hint, number: UInt64) {
    var record = FlightRecord(
      .hint, code: hint.traits.rawValue, flags: hint.kinds.rawValue,
      number: UInt32(bitPattern: hint.directory.rawValue))
    record.payload[0] = number
    record.payload[1] = UInt64(hint.cookie)
    record.payload[2] = hint.file?.inode ?? 0
    record.payload[3] = hint.file == nil ? 0 : 1
    record.payload[4] = hint.file?.handle.number ?? 0
    if let name = hint.name { append(record, named: name.span) } else { append(record) }
  }

  /// A look at a place.
  ///
  /// - Parameter inode: The inode of the directory.
  func noteLook(_ found: FlightRecord.Result, _ entry: Entry?, at place: Place, inode: UInt64, _ cause: Cause) {
    var record = FlightRecord(.look, code: found.rawValue)
    record.storePlace(place.parent, inode: inode)
    record.store(cause)
    if let entry { record.store(entry) }
    append(record, named: place.name.span)
  }

  /// What a look found does not count before the next hints.
  func noteWait(_ place: Place) {
    var record = FlightRecord(.waits)
    record.storePlace(place.parent, inode: 0)
    append(record, named: place.name.span)
  }

  /// Whether a file has writers.
  func noteLease(_ probe: WriterProbe, at place: Place, inode: UInt64) {
    var record = FlightRecord(.lease, code: probe.code)
    record.storePlace(place.parent, inode: inode)
    append(record, named: place.name.span)
  }

  /// A directory was opened by its name, or could not be.
  func noteOpen(_ key: FileKey?, _ id: NodeID, named name: FileName, in inode: UInt64) {
    var record = FlightRecord(.open, code: key == nil ? 0 : 1)
    record.storePlace(id, inode: inode)
    record.payload[2] = key?.inode ?? 0
    record.payload[3] = key?.device ?? 0
    record.payload[4] = UInt64(bitPattern: key?.born ?? 0)
    append(record, named: name.span)
  }

  /// The outcome of writing a tag.
  func noteTag(
    _ reason: DecisionReason, _ uuid: UUIDBits, of id: NodeID, at place: Place, inode: UInt64, error: Errno? = nil
  ) {
    var record = FlightRecord(.tag, code: reason.rawValue, number: id.rawValue)
    record.storePlace(place.parent, inode: inode)
    record.payload[2] = UInt64(bitPattern: Int64(error?.rawValue ?? 0))
    record.payload[8] = uuid.high
    record.payload[9] = uuid.low
    append(record, named: place.name.span)
  }

  /// A directory has, or has no more, a mark.
  func noteMark(_ mark: MarkID, of directory: (id: NodeID, inode: UInt64)?) {
    var record = FlightRecord(directory == nil ? .unmark : .mark, number: UInt32(bitPattern: mark.rawValue))
    if let directory { record.storePlace(directory.id, inode: directory.inode) }
    append(record)
  }

  /// A set of changes was published.
  func notePublished(_ sequence: UInt64, count: Int) {
    var record = FlightRecord(.published)
    record.payload[0] = sequence
    record.payload[1] = UInt64(count)
    append(record)
  }

  /// What the source answered; `nil` if it does not know yet.
  func noteAnswer(_ question: FlightAnswer, _ value: UInt64?, about inode: UInt64 = 0) {
    var record = FlightRecord(.answer, code: question.rawValue, flags: value == nil ? 0 : 1)
    record.payload[0] = value ?? 0
    record.payload[1] = inode
    append(record)
  }
}

// MARK: - Listings

extension FlightRecorder {
  /// A directory was listed: a record for the listing, one for each entry, and one for the end.
  func note(_ listing: DirectoryListing, of id: NodeID, inode: UInt64) {
    var record = FlightRecord(.scan, number: id.rawValue)
    record.storePlace(id, inode: inode)
    record.payload[2] = UInt64(bitPattern: listing.modified ?? 0)
    record.payload[3] = UInt64(bitPattern: listing.readAt)
    record.payload[4] = UInt64(bitPattern: Int64(listing.failure?.rawValue ?? 0))
    record.payload[5] = UInt64(bitPattern: Int64(listing.markFailure?.rawValue ?? 0))
    record.payload[6] = UInt64(bitPattern: Int64(listing.mark?.rawValue ?? 0))
    record.flags = (listing.mark == nil ? 0 : 1) | (listing.modified == nil ? 0 : 2)
    append(record)
    for scanned in listing.entries { note(scanned, in: id, inode: inode, listing.name(of: scanned)) }
    for name in listing.unprobed { noteUnprobed(in: id, inode: inode, listing.names.span.extracting(name)) }
    var end = FlightRecord(.scanned, number: id.rawValue)
    end.payload[0] = UInt64(listing.entries.count)
    append(end)
  }

  private func note(_ scanned: ScannedEntry, in id: NodeID, inode: UInt64, _ name: Span<UInt8>) {
    var record = FlightRecord(.listed, code: FlightRecord.Result.entry.rawValue)
    record.storePlace(id, inode: inode)
    record.store(scanned.entry)
    if scanned.isBeingWritten { record.flags |= FlightRecord.EntryFlags.isBeingWritten }
    if scanned.wasTagged { record.flags |= FlightRecord.EntryFlags.wasTagged }
    if scanned.listing != 0 { record.flags |= FlightRecord.EntryFlags.isListed }
    append(record, named: name)
  }

  private func noteUnprobed(in id: NodeID, inode: UInt64, _ name: Span<UInt8>) {
    var record = FlightRecord(.listed, code: FlightRecord.Result.failed.rawValue)
    record.storePlace(id, inode: inode)
    append(record, named: name)
  }
}

// MARK: - Decisions

extension FlightRecorder {
  /// A decision of the classifier.
  func note(_ decision: DecisionKind, _ reason: DecisionReason, _ id: NodeID, in graph: FileGraph) {
    let node = graph[id]
    var record = FlightRecord(
      .decision, code: decision.rawValue, flags: UInt16(reason.rawValue), number: id.rawValue)
    record.storePlace(node.parent, inode: node.inode)
    record.payload[8] = node.uuid.high
    record.payload[9] = node.uuid.low
    append(record, named: graph.name(id).span)
  }
}

extension WriterProbe {
  /// A number for the record.
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
