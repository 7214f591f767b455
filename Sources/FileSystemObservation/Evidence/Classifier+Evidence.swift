import FileIdentity
import LinuxFileSystem

// Content as evidence of identity: a new file without a tag may have the content of a known one.
//
// When such a file is complete, and any known digest is of a file of its size, the engine reads it. If it has the content
// of one identity only, it counts as if it had that identity's tag: the same rules then make a copy of it, a document
// that was moved by copying, or a file of a moved folder.

extension Classifier {
  /// How long a new file waits for its content, in nanoseconds.
  ///
  /// What happened while nobody observed is told once, and may need many contents.
  private var contentPatience: Int64 { isResuming ? Resumption.contentPatience : 2_000_000_000 }

  /// How often a file looks whether others of its size are read by now, in nanoseconds.
  private static let contentInterval: Int64 = 50_000_000

  /// What a look found, with the tag that its own tag or its content stands for, if there is one.
  func presumingTag(_ entry: Entry) -> Entry {
    if let uuid = successor(ofTagIn: entry) { return entry.presumed(uuid, by: .formerTag) }
    guard contents != nil, case .of(let uuid) = match(of: entry) else { return entry }
    return entry.presumed(uuid, by: .content)
  }

  /// Whether a complete file must wait until its content is known, or that of others; asks for it.
  ///
  /// - Returns: How long to wait; `nil` if the file can be decided.
  mutating func contentDelay(_ entry: Entry, at place: Place) -> Int64? {
    // What an operation of this process makes is announced before the operation returns.
    guard let contents, own == nil, mayBePresumed(entry) || newContents[entry]?.finding == .awaited,
      contents.sizes.contains(entry.size),
      contents.hasFile(ofSize: entry.size) || mayBeRestored(entry, at: place),
      graph.node(at: place).map({ graph.key($0) == entry.key }) ?? true
    else { return nil }
    let record = newContents[entry]
    let begun = record?.begun ?? now
    let until = begun + contentPatience
    guard now < until else {
      if record?.finding == .awaited { newContents.set(.unknown, of: entry, begun: begun) }
      return nil
    }
    switch record?.finding {
    case nil, .missed:
      newContents.set(.awaited, of: entry, begun: begun)
      requests.append(.readContent(place, entry))
      return until - now
    case .awaited: return until - now
    case .unknown: return nil
    case .known:
      guard match(of: entry) == .undecided else { return nil }
      lookAtUnseenSizes()
      return Self.contentInterval
    }
  }

  /// Whether a file may be taken for another because of its content: it was not announced, and no tag says what it is.
  private func mayBePresumed(_ entry: Entry) -> Bool {
    guard entry.kind == .file, entry.tag.uuid == nil || hasTagOfNewFile(entry) else { return false }
    return isUnidentified(entry.key)
  }

  /// Whether another observer, which has seen it first, has given a file without a tag one of its own.
  private func hasTagOfNewFile(_ entry: Entry) -> Bool {
    guard entry.bearsOwnTag, let tag = entry.tag.uuid else { return false }
    return graph.node(with: tag) == nil && !endedIdentities.contains(tag)
  }

  /// Whose content a new file has.
  private func match(of entry: Entry) -> ContentMatch {
    guard let record = newContents[entry], case .known(let digest) = record.finding, mayBePresumed(entry),
      let known = contents?.files(with: digest, in: graph)
    else { return .none }
    let holders = known.map { id in
      ContentMatch.Holder(
        uuid: graph[id].uuid, isStanding: isStanding(id), isCopy: graph[id].flags.contains(.knownCopy))
    }
    let newcomers = newContents.inodes(with: digest).count { $0 == entry.key || isNew($0) }
    let mayBeMore = mayBeMore(like: entry, since: record.begun)
    let match = ContentMatch.of(holders, newcomers: newcomers, mayBeMore: mayBeMore)
    // Whoever gave it a tag of its own took it for a copy, or for a new file.
    if entry.tag.uuid != nil, !holders.contains(where: \.isStanding) { return .none }
    // What is still being read at the end of the wait may be the same.
    return match == .undecided && now - record.begun >= contentPatience ? .none : match
  }

  /// Whether there may be other new files with the content of one.
  ///
  /// A file that is written all the time has no size for long: it is waited for only at first.
  private func mayBeMore(like entry: Entry, since begun: MonotonicTime) -> Bool {
    if newContents.isAwaiting(size: entry.size) || coverage.isRescanning { return true }
    guard arrivals.count <= Self.mostUnfinished else { return false }
    return arrivals.keys.contains { place in
      guard let arrival = arrivals[place], arrival.key != entry.key else { return false }
      return now - begun < timing.quiet && mayHaveUnseenSize(arrival)
        || arrival.entry.map { isUnread($0, size: entry.size) } ?? false
    }
  }

  private func isUnread(_ entry: Entry, size: Int64) -> Bool {
    entry.kind == .file && entry.size == size && entry.tag.uuid == nil && newContents[entry] == nil
  }

  private func isStanding(_ id: NodeID) -> Bool {
    graph.names(of: id).contains { unresolved[$0] == nil && !isInRemovedFolder($0) }
  }

  /// Whether an inode is not announced, or as being copied.
  private func isNew(_ key: FileKey) -> Bool {
    if !arrivals.places(of: key).isEmpty { return true }
    return graph.node(with: key).map { graph[$0].flags.contains(.copying) } ?? false
  }
}

// MARK: - Answers

extension Classifier {
  /// Contents are evidence from now on, and these are known.
  mutating func useContents(_ known: KnownContents) { contents = known }

  /// Whether a new file is being read, so that a decision waits.
  var awaitsContents: Bool { newContents.isAwaiting }

  /// The digests, for a store; `nil` if contents are no evidence.
  mutating func takeContentPicture() -> ContentPicture? { contents?.takePicture() }

  /// Takes in an answer about a content.
  mutating func take(_ answer: ContentAnswer) {
    let question = answer.question
    guard let id = question.id else {
      return takeContent(answer.outcome, of: question)
    }
    // It is read again when it is at rest.
    if answer.outcome == .changed { return }
    takeContent(answer.digest, of: id, question.key, size: question.size, modified: question.modified)
  }

  /// Notes that the present content of a file is not read.
  mutating func noteUnreadable(_ id: NodeID) { contents?.set(nil, of: id, in: graph) }

  /// Takes in the content of a new file, or why it was not read.
  private mutating func takeContent(_ outcome: ContentAnswer.Outcome, of question: ContentQuestion) {
    guard newContents.answer(outcome, question) else { return }
    let delay = outcome == .changed ? Self.contentInterval : 0
    for place in arrivals.places(of: question.key) { finishLater(place, after: delay) }
    if let id = graph.node(with: question.key), writing[id] != nil { settleWritingLater(id, after: delay) }
    guard newContents.count > 2 * (arrivals.count + writing.count) + 64 else { return }
    for key in newContents.keys where !isNew(key) { newContents.forget(key) }
  }

  /// Whether a new file is known to have the content of an announced one.
  func hasContent(of id: NodeID, _ entry: Entry) -> Bool {
    guard let contents, case .known(let digest) = newContents[entry]?.finding else { return false }
    return contents.digest(of: id, in: graph) == digest
  }

  /// Keeps the digest of a new file for the entry that it has become.
  mutating func keepContent(of id: NodeID, _ entry: Entry) {
    guard contents != nil, let record = newContents[entry] else { return }
    newContents.forget(entry.key)
    guard case .known(let digest) = record.finding, graph.isLive(id), graph.key(id) == entry.key,
      graph.content(of: id) == (entry.modified, entry.size)
    else { return }
    contents?.set(digest, of: id, in: graph)
  }

  /// Takes in the content of an announced file; `nil` if it cannot be read.
  private mutating func takeContent(
    _ digest: ContentDigest?, of id: NodeID, _ key: FileKey, size: Int64, modified: Int64
  ) {
    guard graph.isLive(id), graph.key(id) == key, graph[id].size == size, graph[id].modified == modified,
      writing[id] == nil
    else { return }
    contents?.set(digest, of: id, in: graph)
  }

  /// Files whose announced contents were not read.
  struct UnreadFiles {
    var files: [NodeID] = []
    /// Files of which is not known what they will be in a moment.
    var inDoubt: [NodeID] = []
    /// How many entries were looked at.
    var examined = 0
  }

  /// The first files among entries whose announced contents were not read.
  func unreadFiles(among ids: some Sequence<NodeID>, atMost limit: Int) -> UnreadFiles {
    var found = UnreadFiles()
    guard let contents else { return found }
    for id in ids {
      if found.files.count == limit { break }
      found.examined += 1
      guard graph.isLive(id), graph[id].kind == .file, !graph[id].flags.contains(.furtherName),
        !contents.isExamined(id, in: graph)
      else { continue }
      let inDoubt: NodeFlags = [.copying, .unresolved, .written]
      let isInDoubt = !graph[id].flags.isDisjoint(with: inDoubt) || graph.key(id) == .unseen
      if isInDoubt {
        found.inDoubt.append(id)
      } else if contents.sizes.contains(graph[id].size) {
        found.files.append(id)
      }
    }
    return found
  }

  /// Whether nothing is in doubt and no decision waits for contents, so that others can be read.
  var isAtRest: Bool { isCalm && requests.isEmpty && !awaitsContents }
}

// MARK: - Entries that are gone

extension Classifier {
  /// With more unfinished files than this, none is looked at for an entry that is gone.
  private static let mostUnfinished = 64

  /// Whether a missing file, or one in a removed folder, may be what a new file without a tag is.
  ///
  /// The new file may still be written, or be read now.
  mutating func mayBeNewFile(_ id: NodeID) -> Bool {
    guard contents != nil, unfinishedCount > 0, isRemoved(id), !isOwnRemoval(of: id),
      let since = unresolved[id]?.since
    else { return false }
    let gone = now - since
    guard gone < timing.settle + timing.quiet + contentPatience else { return false }
    let mayHaveDigest = graph[id].kind == .directory || contents?.digest(of: id, in: graph) != nil
    // On a busy machine the looks that follow from a comparison take longer; its outcome waits for them anyway.
    let doubt = (isResuming ? 4 : 1) * (timing.settle + timing.quiet)
    return gone < doubt && mayHaveDigest && lookAtUnseenSizes() || mayHaveNewContent(id)
  }

  /// Whether a new file may have the content of a file, or of one in a folder.
  private func mayHaveNewContent(_ id: NodeID) -> Bool {
    if graph[id].kind == .directory {
      var isFound = false
      graph.storage.forEachDescendant(of: id) { isFound = isFound || mayHaveNewContent($0) }
      return isFound
    }
    guard graph[id].kind == .file, let digest = contents?.digest(of: id, in: graph) else { return false }
    let size = graph[id].size
    if newContents.mayBeAnywhere(digest, size: size, keyAt: { arrivals[$0]?.key }) { return true }
    guard writing.count <= Self.mostUnfinished else { return false }
    return writing.keys.contains { copy in
      isCopying(copy) && writing[copy]?.size == size && newContents.mayBe(digest, graph.key(copy))
    }
  }

  /// Asks for looks at new files whose sizes are not known, unless there are many; whether there are any.
  @discardableResult
  private mutating func lookAtUnseenSizes() -> Bool {
    guard unfinishedCount <= Self.mostUnfinished else { return true }
    let places = arrivals.keys.filter { arrivals[$0].map { mayHaveUnseenSize($0) } ?? false }
    let copies = writing.keys.filter { isCopying($0) && writing[$0]?.isLookedAt == false }
    // Many entries may be gone at once.
    guard newContents.lastLooks != now else { return !places.isEmpty || !copies.isEmpty }
    newContents.lastLooks = now
    for place in places { requestLook(at: place) }
    for copy in copies { requests.append(.lookAt(copy)) }
    return !places.isEmpty || !copies.isEmpty
  }

  private func mayHaveUnseenSize(_ arrival: Arrival) -> Bool {
    arrival.kind ?? .file == .file && !arrival.activity.isLookedAt && arrival.entry?.tag.uuid == nil
  }
}
