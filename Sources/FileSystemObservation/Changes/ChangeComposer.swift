import FileIdentity

/// Composes one set of changes from the notes since the last one.
///
/// A set is one step: the difference between the tree before and after it, whatever happened in between. Several moves
/// of an item become one, from its place before the set to the one after it. Items that came and went are not
/// announced. An item that was considered deleted and then found has moved.
struct ChangeComposer: ~Copyable {
  private let draft: ChangeDraft
  let graph: FileGraph
  private let origins: ChangeOrigins
  var log = ChangeLog()
  /// The announcements made for each entry.
  private var announced: [NodeID: Announced] = [:]
  /// The last move note of an item that moved several times.
  private var lastMoves: [NodeID: Int] = [:]
  var returns: Returns
  private var names: NamesInTurn
  private var copiesElsewhere: [ChangeDraft.Note] = []

  struct Announced: OptionSet {
    var rawValue: UInt8
    static let removal = Announced(rawValue: 1 << 0)
    static let insertion = Announced(rawValue: 1 << 1)
    static let move = Announced(rawValue: 1 << 2)
    static let completion = Announced(rawValue: 1 << 3)
    static let modification = Announced(rawValue: 1 << 4)
  }

  /// - Parameters:
  ///   - draft: The notes.
  ///   - graph: The current tree, which remembers the former state of entries.
  ///   - origins: Who made the changes.
  init(_ draft: ChangeDraft, _ graph: FileGraph, _ origins: ChangeOrigins = ChangeOrigins()) {
    self.draft = draft
    self.graph = graph
    self.origins = origins
    returns = Returns(draft, graph)
    names = NamesInTurn(draft)
    log.records.reserveCapacity(draft.notes.count)
    log.mayBeTrashed = draft.mayBeTrashed
    log.removedContents = draft.removedContents
    // A single move, the usual case, needs no table.
    guard draft.notes.count > 1 else { return }
    for (index, note) in draft.notes.enumerated() where note.kind == .moved && note.formerName == nil {
      lastMoves[note.node] = index
    }
  }

  /// The set of changes of the whole tree and of each scope; empty if nothing differs.
  consuming func composed(for scopes: [FileSystemObserver.Scope] = []) -> ScopedLog {
    for (index, note) in draft.notes.enumerated() { compose(note, index) }
    composeCopiesElsewhere()
    return scopes.isEmpty ? ScopedLog(log) : ScopeFilter(log, graph, returns, scopes).filtered()
  }

  private mutating func compose(_ note: ChangeDraft.Note, _ index: Int) {
    switch note.kind {
    case .deleted, .unlinked: composeRemoval(note)
    case .discovered, .duplicated, .linked: composeInsertion(note)
    case .renamed, .moved:
      if note.formerName != nil { return composeSuccession(note, index) }
      if let last = lastMoves[note.node], last != index { return }
      composeMove(note)
    case .copyFinished, .modified: composeContent(note)
    // Announced in sets of their own.
    case .attributesChanged, .activity, .propertiesChanged: break
    }
  }
}

// MARK: - Kinds of changes

extension ChangeComposer {
  /// An entry left its place before the set; if it was not there before the set, it came and went.
  private mutating func composeRemoval(_ note: ChangeDraft.Note) {
    guard let former = graph.former(note.node), former.uuid == note.uuid else {
      if note.kind == .deleted { endUnlinked(note) }
      return
    }
    // The item is there again, or elsewhere.
    if isNow(note.node, note.uuid) || returns.successor(of: note.node) != nil { return }
    guard announce(.removal, of: note.node) else { return }
    append(note, path: formerPath(of: note.node), graph.isLive(note.node) ? .changesIdentity : .comesOrGoes)
  }

  /// Ends a file whose further name came and went: the `unlinked` of its last earlier name becomes `deleted`.
  private mutating func endUnlinked(_ note: ChangeDraft.Note) {
    guard graph.node(with: note.uuid) == nil,
      let last = log.records.lastIndex(where: { $0.kind == .unlinked && $0.uuid == note.uuid })
    else { return }
    log.records[last].kind = .deleted
    log.records[last].reason = note.reason
    log.records[last].key = note.key
  }

  /// An entry has a place that it did not have before the set.
  private mutating func composeInsertion(_ note: ChangeDraft.Note) {
    guard isNow(note.node, note.uuid) else { return composeGone(note) }
    if let former = graph.former(note.node), former.uuid == note.uuid { return composeKnown(note, former) }
    if let predecessor = returns.predecessor(of: note.node) { return composeReturn(note, from: predecessor) }
    // `duplicated` may follow `discovered`.
    guard announce(.insertion, of: note.node) || note.kind == .duplicated else { return }
    let isOther = graph.former(note.node) != nil
    let keepsContents = isOther && returns.successor(of: note.node) == nil
    for note in names.announcement(by: note) where note.kind != .copyFinished || announce(.completion, of: note.node) {
      append(note, path: path(of: note.node), keepsContents ? .changesIdentity : .comesOrGoes)
    }
    if isOther, note.itemKind == .directory { composeMovesOfContents(of: note.node) }
  }

  /// The entry that was announced is gone; the item may have another.
  private mutating func composeGone(_ note: ChangeDraft.Note) {
    let isKnownCopy = note.kind == .duplicated && graph.former(note.node)?.uuid == note.uuid
    if isKnownCopy { copiesElsewhere.append(note) } else { names.noteGone(note) }
  }

  /// Announces existing items that turned out to be copies, and have since got other entries.
  private mutating func composeCopiesElsewhere() {
    for var note in copiesElsewhere {
      guard let name = graph.node(with: note.uuid) else { continue }
      note.node = name
      append(note, path: path(of: name), .none)
    }
  }

  /// An existing item turned out to be a copy, or was only considered deleted.
  ///
  /// It may have moved, too, and is announced where it is: so its move is announced first.
  private mutating func composeKnown(_ note: ChangeDraft.Note, _ former: FormerEntries.Entry) {
    if !keepsPlace(note.node, former) {
      var move = note
      (move.original, move.originalUUID) = (nil, nil)
      composeMove(move, from: note.node)
    } else if returns.predecessor(of: graph[note.node].parent) != nil {
      noteStaying(note.node)
    }
    if note.kind == .duplicated { append(note, path: path(of: note.node), .none) }
  }

  /// An item that was considered deleted is found in another entry.
  private mutating func composeReturn(_ note: ChangeDraft.Note, from predecessor: NodeID) {
    names.forgetAnnouncement(of: note.uuid)
    guard announce(.insertion, of: note.node) else { return }
    composeMove(note, from: predecessor)
    guard note.itemKind == .directory else { return }
    composeMovesOfContents(of: note.node)
    for child in graph.storage.children(of: note.node) { noteStaying(child) }
  }

  /// An entry has another place than before the set.
  private mutating func composeMove(_ note: ChangeDraft.Note) {
    guard isNow(note.node, note.uuid), let former = graph.former(note.node), former.uuid == note.uuid else { return }
    composeMove(note, from: note.node)
  }

  mutating func composeMove(_ note: ChangeDraft.Note, from predecessor: NodeID) {
    guard let former = graph.former(predecessor) else { return }
    if keepsPlace(note.node, former) {
      return predecessor == note.node ? () : noteContinuation(note, from: predecessor)
    }
    guard announce(.move, of: note.node) else { return }
    var note = note
    let isSameFolder = graph.former(former.parent)?.uuid == graph[graph[note.node].parent].uuid
    note.kind = isSameFolder ? .renamed : .moved
    note.isReturned = false
    note.reason = nil
    appendMove(note, path: path(of: note.node), from: formerPath(of: predecessor), in: former.parent, .moves)
  }

  /// Notes an item that goes on in another entry and needs no change of its own: its properties are those of that entry.
  private mutating func noteContinuation(_ note: ChangeDraft.Note, from predecessor: NodeID) {
    let (former, now) = (formerPath(of: predecessor), path(of: note.node))
    if log.paths[former] == log.paths[now] {
      log.unmoved.insert(note.node)
      return
    }
    var note = note
    note.kind = .propertiesChanged
    (note.original, note.originalUUID, note.reason, note.isReturned) = (nil, nil, nil, false)
    log.continuations.append(record(of: note, path: now, .none))
  }

  /// Another name succeeds the oldest name of a file: announced once, from the oldest name before the set.
  private mutating func composeSuccession(_ note: ChangeDraft.Note, _ index: Int) {
    guard names.isLastSuccession(index, note), let name = graph.node(with: note.uuid),
      let former = names.firstName(of: note.uuid), let place = graph.former(former), place.uuid == note.uuid,
      !keepsPlace(name, place)
    else { return }
    var note = note
    note.node = name
    let isSameFolder = graph.former(place.parent)?.uuid == graph[graph[name].parent].uuid
    note.kind = isSameFolder ? .renamed : .moved
    appendMove(note, path: path(of: name), from: formerPath(of: former), in: place.parent, .none)
  }

  /// The content of an existing item changed.
  private mutating func composeContent(_ note: ChangeDraft.Note) {
    var note = note
    if !isNow(note.node, note.uuid) {
      // The note may be of a name that is gone, or of an item that goes on in a copy.
      guard let name = graph.node(with: note.uuid), wasThere(note.uuid, at: note.node) || wasThere(note.uuid, at: name)
      else { return names.noteGone(note) }
      note.node = name
    }
    if note.kind == .copyFinished, let former = returns.finishedContent(of: note.node) {
      // The item has moved, or was only considered deleted: it has not arrived.
      if former.size == graph[note.node].size && former.modified == graph[note.node].modified { return }
      note.kind = .modified
    }
    // An identity that ends and comes back in the set is noted as complete each time.
    guard announce(note.kind == .modified ? .modification : .completion, of: note.node) else { return }
    append(note, path: path(of: note.node), .none)
  }
}

// MARK: - Before and after

extension ChangeComposer {
  /// Whether an item was there before the set, in an entry or in one that goes on in it.
  private func wasThere(_ uuid: UUIDBits, at id: NodeID) -> Bool {
    graph.former(id)?.uuid == uuid || returns.predecessor(of: id) != nil
  }

  /// Whether an entry now has an identity.
  private func isNow(_ id: NodeID, _ uuid: UUIDBits) -> Bool { graph.isLive(id) && graph[id].uuid == uuid }

  /// Records an announcement of an entry; returns false if it was made already.
  mutating func announce(_ kind: Announced, of id: NodeID) -> Bool {
    if draft.notes.count == 1 { return true }
    return announced[id, default: []].insert(kind).inserted
  }

  /// Whether an entry's place follows from its place before the set without a change of its own.
  func keepsPlace(_ id: NodeID, _ former: FormerEntries.Entry) -> Bool {
    heir(of: former.parent) == graph[id].parent && graph.hasFormerName(id, former)
  }

  /// The directory that has the contents of another from before the set, unless that needs a change of its own.
  func heir(of directory: NodeID) -> NodeID? {
    guard directory != .root, graph.formerEntries.hasChanged(directory) else { return directory }
    guard let former = graph.former(directory) else { return nil }
    if let successor = returns.successor(of: directory) { return successor }
    guard graph.isLive(directory) else { return nil }
    return graph[directory].uuid == former.uuid || keepsPlace(directory, former) ? directory : nil
  }

  mutating func path(of id: NodeID) -> Range<Int> {
    let start = log.paths.count
    graph.storage.appendPath(of: id, to: &log.paths)
    return start..<log.paths.count
  }

  mutating func formerPath(of id: NodeID) -> Range<Int> {
    let start = log.paths.count
    graph.appendFormerPath(of: id, to: &log.paths)
    return start..<log.paths.count
  }

  /// The path of an original, now or before the set.
  private mutating func path(ofOriginal id: NodeID, _ uuid: UUIDBits) -> Range<Int>? {
    if isNow(id, uuid) { return path(of: id) }
    if let name = graph.node(with: uuid) { return path(of: name) }
    return graph.former(id) == nil ? nil : formerPath(of: id)
  }

  private mutating func append(_ note: ChangeDraft.Note, path: Range<Int>, _ effect: ChangeRecord.Effect) {
    log.records.append(record(of: note, path: path, effect))
  }

  mutating func appendMove(
    _ note: ChangeDraft.Note, path: Range<Int>, from previousPath: Range<Int>, in formerParent: NodeID?,
    _ effect: ChangeRecord.Effect
  ) {
    var record = record(of: note, path: path, from: previousPath, effect)
    record.formerParent = formerParent
    log.records.append(record)
  }

  private mutating func record(
    of note: ChangeDraft.Note, path: Range<Int>, from previousPath: Range<Int>? = nil, _ effect: ChangeRecord.Effect
  ) -> ChangeRecord {
    let originalPath: Range<Int>? =
      if let id = note.original, let uuid = note.originalUUID { self.path(ofOriginal: id, uuid) } else { nil }
    // Tags are written after the decision and before the announcement, so read the tag flag last.
    let isNow = isNow(note.node, note.uuid)
    let flags = isNow ? graph[note.node].flags : []
    let facts = facts(of: note, isNow)
    let origin = origins.origin(of: note, in: graph)
    return ChangeRecord(
      kind: note.kind, itemKind: note.itemKind, uuid: note.uuid, path: path, previousPath: previousPath,
      original: note.originalUUID, originalPath: originalPath,
      reason: origins.reason(of: note, origin), isReturned: note.isReturned,
      isCopying: isNow ? flags.contains(.copying) : note.isCopying,
      isTagged: note.isTagged || flags.contains(.tagged), facts: facts, key: note.key,
      names: isNow && facts.nameCount > 1 ? names(of: note.node) : [], node: note.node, effect: effect,
      origin: origin)
  }

  /// The properties of an item; for one that is gone, those before the set.
  private func facts(of note: ChangeDraft.Note, _ isNow: Bool) -> ItemFacts {
    var facts = isNow ? ItemFacts(note.node, graph) : note.facts ?? ItemFacts(note.node, graph)
    guard !isNow else { return facts }
    facts.nameCount = 1
    if let parent = graph.former(note.node)?.parent { facts.parent = graph.former(parent)?.uuid }
    return facts
  }

  private mutating func names(of id: NodeID) -> [Range<Int>] { graph.firstNames(of: id).map { path(of: $0) } }
}
