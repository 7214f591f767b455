import FileIdentity
import LinuxFileSystem

/// Write activity by entry, with indexes by the old inode of a save and by partial name.
struct WritingTable: Sendable {
  private let patterns: NameRules
  private var entries: [NodeID: WriteActivity] = [:]
  /// Documents in a seeming save, by their old inodes.
  private var saved = Multimap<FileKey, NodeID>()
  private var partials = Multimap<PartialName, NodeID>()
  private var partialNames: [NodeID: [PartialName]] = [:]

  init(patterns: NameRules) { self.patterns = patterns }

  var count: Int { entries.count }
  /// All entries, in no order.
  var keys: [NodeID] { Array(entries.keys) }

  /// The documents that are being saved by replacement, in no order.
  var saves: [NodeID] { entries.filter { $0.value.isSave }.map(\.key) }

  /// All activities, in no order.
  var activities: some Collection<WriteActivity> { entries.values }

  /// The activity of an entry, to change or remove; `begin` adds one.
  subscript(id: NodeID) -> WriteActivity? {
    get { entries[id] }
    set {
      assert(newValue == nil || entries[id] != nil, "writing that begins is begun with begin(_:at:_:)")
      store(newValue, of: id)
    }
  }

  /// Begins the activity of an entry at its announced place, or replaces it.
  mutating func begin(_ id: NodeID, at place: Place, _ activity: WriteActivity) {
    store(activity, of: id)
    setNames(patterns.partialNames(at: place), of: id)
  }

  mutating func move(_ id: NodeID, to place: Place) {
    guard entries[id] != nil else { return }
    setNames(patterns.partialNames(at: place), of: id)
  }

  private mutating func store(_ activity: WriteActivity?, of id: NodeID) {
    let (former, key) = (entries[id]?.savedFrom, activity?.savedFrom)
    entries[id] = activity
    if activity == nil { setNames([], of: id) }
    guard former != key else { return }
    if let former { saved.remove(id, for: former) }
    if let key { saved.insert(id, for: key) }
  }

  private mutating func setNames(_ names: [PartialName], of id: NodeID) {
    let former = names.isEmpty ? partialNames.removeValue(forKey: id) : partialNames.updateValue(names, forKey: id)
    for name in former ?? [] { partials.remove(id, for: name) }
    for name in names { partials.insert(id, for: name) }
  }

  /// The first document that seems to be saved from this old inode.
  func document(savedFrom key: FileKey) -> NodeID? { saved.members(of: key).min() }

  var hasPartialNames: Bool { !partials.isEmpty }

  func contains(_ name: PartialName) -> Bool { partials.hasMembers(name) }
}

extension WriteActivity {
  /// The old inode of a document in a seeming save.
  fileprivate var savedFrom: FileKey? { isSave && former != .unseen ? former : nil }
}
