import LinuxFileSystem

/// New directories that are not listed, and whose tags a program may still write.
///
/// fanotify reports a new tag of a directory only to those who watch the directory itself. So each is looked at now and
/// then, at last after an hour: a copy of a tree gets its tag at its end, and that is found after as much time as the
/// copying took.
struct UnlistedFolders {
  private struct Folder {
    let id: NodeID
    var due: MonotonicTime
    var delay: Int64
  }

  private static let firstDelay: Int64 = 1_000_000_000
  private static let longestDelay: Int64 = 1_800_000_000_000
  /// Many are looked at together.
  private static let granularity: Int64 = 250_000_000

  private var folders: [Folder] = []
  private var ids: Set<NodeID> = []
  /// When to look at any of them.
  private(set) var due: MonotonicTime?

  mutating func insert(_ id: NodeID, _ now: MonotonicTime) {
    guard ids.insert(id).inserted else { return }
    let folder = Folder(id: id, due: Self.time(Self.firstDelay, after: now), delay: Self.firstDelay)
    folders.append(folder)
    due = .earlier(due, folder.due)
  }

  /// Those that are due, which are due again later.
  mutating func take(at now: MonotonicTime) -> [NodeID] {
    guard let due, due <= now else { return [] }
    var taken: [NodeID] = []
    for index in folders.indices where folders[index].due <= now {
      taken.append(folders[index].id)
      folders[index].delay *= 2
      folders[index].due = Self.time(folders[index].delay, after: now)
    }
    setDue()
    return taken
  }

  /// All of them, before observation ends.
  mutating func takeAll() -> [NodeID] {
    defer { self = UnlistedFolders() }
    return folders.map(\.id)
  }

  /// Forgets those that need no more looks, and those that have been looked at for long enough.
  mutating func remove(_ done: Set<NodeID>) {
    folders.removeAll { $0.delay > Self.longestDelay || done.contains($0.id) }
    if folders.count < ids.count { ids = Set(folders.lazy.map(\.id)) }
    setDue()
  }

  private mutating func setDue() { due = folders.lazy.map(\.due).min() }

  private static func time(_ delay: Int64, after now: MonotonicTime) -> MonotonicTime {
    let time = now.nanoseconds + delay + granularity - 1
    return MonotonicTime(nanoseconds: time - time % granularity)
  }
}
