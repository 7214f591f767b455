import FileEvents
import FileIdentity
import LinuxFileSystem
import SystemPackage

// Properties that change without a change of the tree: the child counts and times of directories, the names of a file
// besides the one that came or went, tags that are written late, and the sizes of files that are being copied.

/// What to announce to listeners that ask for properties.
struct ChangedProperties {
  /// Whether a listener asks for properties.
  var isWanted = false
  /// Entries whose properties have changed since the last announcement.
  var entries: Set<NodeID> = []
  /// When to look at the files that are being copied; `nil` if there are none.
  var lookDue: MonotonicTime?
}

extension Engine {
  /// How often to look at a file that is being copied, in nanoseconds.
  private static var growthInterval: Int64 { 1_000_000_000 }

  /// Begins or ceases to note changed properties.
  func watchProperties(_ isWanted: Bool) {
    if isWanted == changedProperties.isWanted { return }
    changedProperties = ChangedProperties(isWanted: isWanted)
    // At once, because a copy may have begun long ago.
    if isWanted, state.classify({ $0.graph.hasCopying }) { changedProperties.lookDue = MonotonicTime(nanoseconds: 0) }
  }

  /// Notes the entries of which a set has changed properties without a change of their own.
  func noteProperties(changedBy log: ChangeLog) {
    guard changedProperties.isWanted else { return }
    noteChildCounts(log)
    noteNames(log)
  }

  /// Notes the names of files that have more or fewer of them: each counts the others, and another may be the oldest.
  private func noteNames(_ log: ChangeLog) {
    let files = Set(log.records.filter(\.changesNames).map(\.uuid))
    if files.isEmpty { return }
    let names = state.classify { classifier -> [NodeID] in
      let graph = classifier.graph
      return files.flatMap { file in
        graph.node(with: file).map { graph.names(of: $0, atMost: ListenerNews.nameLimit) } ?? []
      }
    }
    changedProperties.entries.formUnion(names)
  }

  /// Notes the directories whose child counts a set has changed.
  private func noteChildCounts(_ log: ChangeLog) {
    let directories = state.classify { classifier -> Set<NodeID> in
      var directories: Set<NodeID> = []
      for record in log.records where record.effect == .comesOrGoes || record.effect == .moves {
        if let parent = record.formerParent { directories.insert(parent) }
        if let parent = record.facts.parent.flatMap({ classifier.graph.node(with: $0) }) { directories.insert(parent) }
      }
      return directories
    }
    changedProperties.entries.formUnion(directories)
  }

  /// Takes what has changed since the last announcement.
  ///
  /// The classifier notes them although nobody asks for them: a listener may have been added after they changed, with an
  /// older snapshot of the tree.
  func takeChangedProperties() -> [NodeID] {
    let noted = state.classify { $0.takeChangedProperties() }
    guard changedProperties.isWanted else { return [] }
    let entries = changedProperties.entries.union(noted)
    changedProperties.entries = []
    return entries.sorted()
  }

  /// Plans a look if a file is being copied.
  func planGrowthLook(_ now: MonotonicTime) {
    guard changedProperties.isWanted, changedProperties.lookDue == nil, state.classify({ $0.graph.hasCopying }) else {
      return
    }
    changedProperties.lookDue = now + Self.growthInterval
  }

  /// Looks at the sizes of the files that are being copied, if that is due.
  func lookAtGrowth(_ now: MonotonicTime) {
    guard let due = changedProperties.lookDue, due <= now else { return }
    changedProperties.lookDue = nil
    for id in state.classify({ $0.copyingFiles }) where mayContinue() { lookAtGrowth(of: id) }
  }

  private func lookAtGrowth(of id: NodeID) {
    guard let known = state.classify({ $0.resolvedEntry(id) }), let status = status(at: known.place),
      FileKey(status) == known.key
    else { return }
    let hasGrown = state.classify { $0.setGrowth(of: id, modified: status.modified, size: status.size) }
    if hasGrown { changedProperties.entries.insert(id) }
  }
}

extension ChangeRecord {
  /// Whether a file has more or fewer names than before, or another oldest one.
  fileprivate var changesNames: Bool {
    switch kind {
    case .linked, .unlinked: true
    case .renamed, .moved: effect == .none
    case .discovered, .duplicated, .deleted, .copyFinished, .modified: false
    case .attributesChanged, .activity, .propertiesChanged: false
    }
  }
}
