import FileEvents
import FileIdentity
import FoundationEssentials
import LinuxFileSystem
import SystemPackage

// What some listeners want to know besides the changes of the tree: attributes, and that something is going on.

/// One thing of that kind.
package struct Detail: Sendable {
  var kind: FileSystemObserver.Details
  var change: FileSystemChange
  /// The directories above the item, where a listener is for a part of the tree.
  var ancestors: [UUID]

  /// Whether a listener for a part of the tree is to be told.
  func isIn(_ scope: FileSystemObserver.Scope) -> Bool {
    switch scope {
    case .all: true
    case .item(let uuid): change.uuid == uuid
    case .folder(let uuid): change.uuid == uuid || change.item.parent == uuid
    case .subtree(let uuid): change.uuid == uuid || ancestors.contains(uuid)
    }
  }
}

/// The attributes of items as they were when they were looked at last.
struct KnownAttributes {
  private var items: [NodeID: (uuid: UUIDBits, summary: AttributeSummary)] = [:]

  /// Takes in what an item has now.
  ///
  /// - Returns: What is different from before; nothing for an item that is looked at for the first time.
  mutating func note(_ summary: AttributeSummary, of id: NodeID, _ uuid: UUIDBits) -> FileSystemChange
    .ChangedAttributes?
  {
    let former = items.updateValue((uuid, summary), forKey: id)
    // The number of an entry that is gone may be another's by now.
    guard let former, former.uuid == uuid, former.summary != summary else { return nil }
    let known = former.summary
    return FileSystemChange.ChangedAttributes(
      permissions: known.permissions != summary.permissions,
      owner: known.owner != summary.owner || known.group != summary.group,
      names: summary.attributes(differentFrom: known))
  }
}

extension Engine {
  /// Takes in what listeners want to know.
  func watchDetails(_ details: FileSystemObserver.Details) {
    state.classify { $0.notesActivity = details.contains(.activity) }
    if !details.contains(.attributes) {
      knownAttributes = nil
    } else if knownAttributes == nil {
      knownAttributes = KnownAttributes()
      noteAllAttributes()
    }
  }

  /// Reads the attributes of everything, so that what changes later is seen to change.
  func noteAllAttributes() {
    guard knownAttributes != nil else { return }
    let storage = state.classify { $0.graph.storage }
    storage.forEachDescendant(of: .root) { id in
      if mayContinue() { noteAttributes(of: id) }
    }
  }

  /// Reads the attributes of what has just been announced.
  func noteAttributes(of log: ChangeLog) {
    guard knownAttributes != nil else { return }
    for record in log.records { noteAttributes(of: record.node) }
  }

  /// Looks at the attributes of an entry, and notes that they have changed.
  func noteAttributes(of id: NodeID) {
    guard knownAttributes != nil else { return }
    let known = state.classify { classifier -> (Place, FileKey, UUIDBits)? in
      let graph = classifier.graph
      guard graph.isLive(id), id != .root, classifier.displaced[id] == nil else { return nil }
      return (graph.place(id), graph.key(id), graph[id].uuid)
    }
    guard let (place, key, uuid) = known, let directory = directory(place.parent) else { return }
    let summary = place.name.withView { name -> AttributeSummary? in
      guard let status = try? files.status(of: name, in: directory), FileKey(status) == key else { return nil }
      return files.attributes(of: name, in: directory)
    }
    guard let summary, let change = knownAttributes?.note(summary, of: id, uuid) else { return }
    changedAttributes.append((id, change))
  }

  /// Looks at the attributes of what is at a place.
  func noteAttributes(at place: Place) {
    guard knownAttributes != nil, let id = state.classify({ $0.graph.node(at: place) }) else { return }
    noteAttributes(of: id)
  }

  /// Announces details, after the changes of the tree.
  func publishDetails() {
    let active = state.classify { $0.takeActivity() }
    if active.isEmpty, changedAttributes.isEmpty { return }
    let isForParts = !scopes().isEmpty
    let directory = settings.path
    let changed = changedAttributes
    changedAttributes = []
    let (details, sequence) = state.content.withLock { content -> ([Detail], UInt64) in
      let graph = content.classifier.graph
      let found =
        active.map { ($0, FileSystemChange.Event.activity, FileSystemObserver.Details.activity) }
        + changed.map { ($0.id, .attributesChanged($0.change), .attributes) }
      let details = found.filter { graph.isLive($0.0) }.map { id, event, kind in
        Detail(
          kind: kind, change: FileSystemChange(event, FileSystemItem.Snapshot(id, graph, below: directory)),
          ancestors: isForParts ? graph.ancestors(of: id) : [])
      }
      return (details, content.sequence)
    }
    if !details.isEmpty { emit(.details(details, sequence: sequence)) }
  }
}

extension FileGraph {
  /// The directories above an entry.
  fileprivate func ancestors(of id: NodeID) -> [UUID] {
    var (ancestors, current): ([UUID], NodeID) = ([], id)
    while current != .root {
      current = self[current].parent
      ancestors.append(UUID(self[current].uuid))
    }
    return ancestors
  }
}

extension Classifier {
  /// Notes that something happens to an entry, where somebody wants to know that.
  mutating func noteBeginning(of id: NodeID) {
    guard notesActivity, untold[id] == nil, !graph[id].flags.contains(.copying) else { return }
    activity.insert(id)
  }

  /// Entries to which something happens, and that have not been decided about.
  mutating func takeActivity() -> [NodeID] {
    if activity.isEmpty { return [] }
    defer { activity = [] }
    return activity.filter { graph.isLive($0) && (displaced[$0] != nil || writing[$0] != nil) }
      .sorted { $0.rawValue < $1.rawValue }
  }
}
