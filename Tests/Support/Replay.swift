internal import FileIdentity
package import FileSystemObservation
package import FoundationEssentials
package import SystemPackage

/// The announced tree, and the contradictions in its announcements.
package struct Replay {
  /// An item at a path.
  package struct Item: Equatable, Sendable {
    package var uuid: UUID
    package var kind: FileSystemItem.Kind
  }

  private let rootPath: String
  package private(set) var tree: FileSystemTree
  private var lastSequence: UInt64?
  /// Announcements that cannot be true.
  package private(set) var contradictions: [String] = []

  package init(root: String) {
    rootPath = root
    tree = FileSystemTree(directory: FilePath(root))
  }

  /// Replays all events from the start on.
  package init(root: String, _ entries: [Recorder.Entry]) {
    self.init(root: root)
    for entry in entries { apply(entry) }
  }

  package mutating func apply(_ entry: Recorder.Entry) {
    switch entry.event {
    case .didChange(let set): take(set.sequence, set.steps) { $0.apply(set) }
    case .reset(let inventory, _):
      tree = FileSystemTree(inventory)
      lastSequence = inventory.sequence
    default: break
    }
  }

  /// Applies one change set, with paths relative to the root.
  package mutating func apply(_ sequence: UInt64, _ steps: [TreeStep]) {
    take(sequence, steps) { $0.apply(steps) }
  }

  private mutating func take(_ sequence: UInt64, _ steps: [TreeStep], _ apply: (inout FileSystemTree) -> Void) {
    if let last = lastSequence, sequence != last + 1 {
      contradictions.append("change set \(sequence) follows upon \(last)")
    }
    lastSequence = sequence
    let before = tree
    apply(&tree)
    contradictions += StepCheck(before: before, after: tree).contradictions(in: steps).map { "set \(sequence): \($0)" }
  }

  /// All items by their path relative to the root.
  package var items: [String: Item] {
    var items: [String: Item] = [:]
    for item in tree { items[relative(item.path)] = Item(uuid: item.uuid, kind: item.kind) }
    return items
  }

  /// A path relative to the root.
  package func relative(_ path: FilePath) -> String { Self.relative(path, to: rootPath) }

  package static func relative(_ path: FilePath, to root: String) -> String { relative(path.string, to: root) }

  static func relative(_ path: String, to root: String) -> String {
    let prefix = (root + "/").utf8
    guard path.utf8.starts(with: prefix) else { return path }
    return String(decoding: path.utf8.dropFirst(prefix.count), as: UTF8.self)
  }
}
