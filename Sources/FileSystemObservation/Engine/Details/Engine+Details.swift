import FileEvents
import FileIdentity
import FoundationEssentials
import LinuxFileSystem
import SystemPackage

// What some listeners ask for besides the changes of the tree: attributes, activity, properties, and folders that are
// complete.

/// A change of attributes, activity, a change of properties, or the completion of a folder.
package struct Detail: Sendable {
  var kind: FileSystemObserver.Details
  package var change: FileSystemChange
  /// The directories above the item, if a listener is for a part of the tree.
  var ancestors: [UUID]

  /// Whether a listener for a part of the tree gets this detail.
  func isIn(_ scope: FileSystemObserver.Scope) -> Bool {
    switch scope {
    case .all: true
    case .item(let uuid): change.uuid == uuid
    case .folder(let uuid): change.uuid == uuid || change.item.parent == uuid
    case .subtree(let uuid): change.uuid == uuid || ancestors.contains(uuid)
    }
  }
}

/// The attributes of items when they were last read.
struct KnownAttributes {
  private var items: [NodeID: (uuid: UUIDBits, summary: AttributeSummary)] = [:]

  /// Stores the attributes that an item has now.
  ///
  /// - Returns: What differs from before; `nil` for the first reading of an item.
  mutating func note(_ summary: AttributeSummary, of id: NodeID, _ uuid: UUIDBits) -> FileSystemChange
    .ChangedAttributes?
  {
    let former = items.updateValue((uuid, summary), forKey: id)
    // `NodeID`s are reused: this one may have been another entry's.
    guard let former, former.uuid == uuid, former.summary != summary else { return nil }
    let known = former.summary
    return FileSystemChange.ChangedAttributes(
      permissions: known.permissions != summary.permissions,
      owner: known.owner != summary.owner || known.group != summary.group,
      names: summary.attributes(differentFrom: known))
  }
}

extension Engine {
  /// Prepares the details that listeners ask for by now.
  ///
  /// A listener gets every set that is taken after it was added, and so must it get the details of every change. So the
  /// engine asks when it has taken hints, and when it has taken changes.
  func watchDetails() {
    let details = details()
    state.classify { $0.notesActivity = details.contains(.activity) }
    watchProperties(details.contains(.properties))
    let quiet = settings.timing.quiet
    folderArrivals = details.contains(.folderArrivals) ? folderArrivals ?? FolderArrivals(quiet: quiet) : nil
    if !details.contains(.attributes) {
      knownAttributes = nil
    } else if knownAttributes == nil {
      knownAttributes = KnownAttributes()
      noteAllAttributes()
    }
  }

  /// Reads the attributes of all entries, as the basis for later comparisons.
  func noteAllAttributes() {
    guard knownAttributes != nil else { return }
    let storage = state.classify { $0.graph.storage }
    storage.forEachDescendant(of: .root) { id in
      if mayContinue() { noteAttributes(of: id) }
    }
  }

  /// Reads the attributes of the entries that a log has just announced.
  func noteAttributes(of log: ChangeLog) {
    guard knownAttributes != nil else { return }
    for record in log.records { noteAttributes(of: record.node) }
  }

  /// Reads the attributes of an entry, and notes a change.
  func noteAttributes(of id: NodeID) {
    guard knownAttributes != nil, id != .root else { return }
    guard let (place, key, uuid) = state.classify({ $0.resolvedEntry(id) }), let directory = directory(place.parent)
    else { return }
    let summary = place.name.withView { name -> AttributeSummary? in
      guard let status = try? files.status(of: name, in: directory), FileKey(status) == key else { return nil }
      return files.attributes(of: name, in: directory)
    }
    guard let summary, let change = knownAttributes?.note(summary, of: id, uuid) else { return }
    changedAttributes.append((id, change))
  }

  func noteAttributes(at place: Place) {
    guard knownAttributes != nil, let id = state.classify({ $0.graph.node(at: place) }) else { return }
    noteAttributes(of: id)
  }

  /// Notes the folders that a log has just announced, and what has arrived in folders.
  func noteFolderArrivals(in log: ChangeLog) {
    guard folderArrivals != nil else { return }
    state.classify { folderArrivals?.note(log.records, $0.graph, at: time) }
  }

  private func takeCompleteFolders() -> [NodeID] {
    guard folderArrivals?.isEmpty == false else { return [] }
    return state.classify { classifier in
      folderArrivals?.releaseHindered(classifier)
      return decidesFolders ? folderArrivals?.takeComplete(classifier, at: time) : nil
    } ?? []
  }

  /// Announces details, after the changes of the tree.
  func publishDetails() {
    let active = state.classify { $0.takeActivity() }
    let properties = takeChangedProperties()
    let complete = takeCompleteFolders()
    if active.isEmpty, changedAttributes.isEmpty, properties.isEmpty, complete.isEmpty { return }
    let isForParts = !scopes().isEmpty
    let directory = settings.path
    let changed = changedAttributes
    changedAttributes = []
    let (details, sequence) = state.content.withLock { content -> ([Detail], UInt64) in
      let graph = content.classifier.graph
      let found =
        active.map { ($0, FileSystemChange.Event.activity, FileSystemObserver.Details.activity) }
        + changed.map { ($0.id, .attributesChanged($0.change), .attributes) }
        + properties.map { ($0, .propertiesChanged, .properties) }
        + complete.map { ($0, .copyFinished, .folderArrivals) }
      let live = found.filter {
        graph.isLive($0.0) && ($0.2 != .properties || !content.classifier.isUnannounced($0.0))
      }
      let details = live.map { id, event, kind in
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
  fileprivate func ancestors(of id: NodeID) -> [UUID] {
    var (ancestors, current): ([UUID], NodeID) = ([], id)
    while current != .root {
      current = self[current].parent
      ancestors.append(UUID(self[current].uuid))
    }
    return ancestors
  }
}
