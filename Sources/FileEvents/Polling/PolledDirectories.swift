import LinuxFileSystem
import SystemPackage

/// The polled directories, and the access to them.
struct PolledDirectories<Directory: AnyObject & Sendable>: Sendable {
  struct Item: Sendable {
    var mark: MarkID
    var scope: MarkScope
    /// The access to it, if its parent is not polled.
    var anchor: Anchor<Directory>?
    var stamp: DirectoryStamp?
    /// When this stamp was first seen.
    var stampSince: MonotonicTime
    /// Whether any later change would change the stamp.
    var isListingFinal = false
    /// None during a visit.
    var shadow: DirectoryShadow?
    /// The pass in which it was last visited or marked.
    var lastPass: UInt64
    /// Whether tags have been written since, so that the changed times must not be reported.
    var mustAdoptTimes = false
    /// Whether a mark of the kernel is wanted as soon as there is room.
    var wantsMark = false
    /// The kernel's mark, until the directory is marked again after the hint `markAgain`.
    var takenMark: MarkID?
    /// Whether its own attributes may have changed before it was polled: fanotify reports them only for marked
    /// directories.
    var isOwnChangeUnreported = false
    /// Whether a hint said that no path leads to it any more.
    var isLost = false
    var recent = RecentLooks()
  }

  private(set) var items: [DirectoryID: Item] = [:]
  private var directories: [MarkID: DirectoryID] = [:]
  /// The polled parent of each directory.
  private var parents: [DirectoryID: DirectoryID] = [:]
  private(set) var anchors: Set<DirectoryID> = []
  /// The anchors in the order of marking, so that passes are deterministic.
  var sortedAnchors: [DirectoryID] {
    anchors.sorted { (items[$0]?.mark.rawValue ?? 0) < (items[$1]?.mark.rawValue ?? 0) }
  }
  /// The number of anchors that are kept open.
  private var openCount = 0
  private static var mostOpen: Int { 64 }
  private var lastMark = MarkID.firstOfPolling
  /// The number of the current pass.
  var pass: UInt64 = 0
  /// The newest inode time of each file system: later changes have no older time.
  private var newestChange: [UInt64: Int64] = [:]
  /// The file systems on which the times of a directory change with its entries.
  ///
  /// On others every pass lists each directory.
  var timesFollowEntries: [UInt64: Bool] = [:]
  /// The coarsest times of file systems (FAT).
  static var granularity: Int64 { 2_000_000_000 }

  var isEmpty: Bool { items.isEmpty }
  /// Whether the entries of any directory are wanted.
  var hasEntries: Bool { items.values.contains { $0.scope != .itself && $0.scope != .departures } }
  var wantingCount: Int { items.values.reduce(0) { $1.wantsMark ? $0 + 1 : $0 } }

  subscript(id: DirectoryID) -> Item? {
    get { items[id] }
    set { items[id] = newValue }
  }

  subscript(mark: MarkID) -> DirectoryID? { directories[mark] }

  /// Takes what others have looked at since the last pass.
  mutating func takeRecent(_ id: DirectoryID) -> RecentLooks {
    defer { items[id]?.recent = RecentLooks() }
    return items[id]?.recent ?? RecentLooks()
  }

  /// Adds a directory, or changes its scope.
  ///
  /// - Parameters:
  ///   - mayStayOpen: Whether the directory may be kept open.
  ///   - path: Its path, if that leads to it.
  mutating func insert(
    _ id: DirectoryID, _ directory: Directory, mayStayOpen: () -> Bool, at path: () -> FilePath?,
    for scope: MarkScope, wantsMark: Bool, _ now: MonotonicTime
  ) -> MarkID {
    let mark = items[id]?.mark ?? lastMark
    if items[id] == nil {
      lastMark = MarkID(rawValue: lastMark.rawValue + 1)
      directories[mark] = id
      items[id] = Item(mark: mark, scope: scope, stampSince: now, lastPass: pass)
      items[id]?.isOwnChangeUnreported = wantsMark
    }
    items[id]?.scope = scope
    items[id]?.lastPass = pass
    items[id]?.wantsMark = wantsMark
    items[id]?.recent.isListed = true
    let hasWay = parents[id].map { items[$0] != nil } ?? false
    if !hasWay || items[id]?.isLost == true { setAnchor(id, directory, mayStayOpen, path) }
    items[id]?.isLost = false
    return mark
  }

  /// Keeps the directory open if it may be and few are; otherwise keeps its path.
  private mutating func setAnchor(
    _ id: DirectoryID, _ directory: Directory, _ mayStayOpen: () -> Bool, _ path: () -> FilePath?
  ) {
    if case .open = items[id]?.anchor { openCount -= 1 }
    if openCount >= Self.mostOpen || !mayStayOpen(), let path = path() {
      items[id]?.anchor = .path(path)
    } else {
      items[id]?.anchor = .open(directory)
      openCount += 1
    }
    anchors.insert(id)
  }

  private mutating func removeAnchor(_ id: DirectoryID) {
    guard anchors.remove(id) != nil else { return }
    if case .open = items[id]?.anchor { openCount -= 1 }
    items[id]?.anchor = nil
  }

  /// Removes a directory; returns the mark that the kernel already has.
  mutating func remove(_ mark: MarkID) -> MarkID? {
    guard let id = directories.removeValue(forKey: mark) else { return nil }
    removeAnchor(id)
    let item = items.removeValue(forKey: id)
    if let shadow = item?.shadow { forget(shadow, in: id) }
    return item?.takenMark
  }

  /// Stores the directories of a listing.
  mutating func learn(_ shadow: DirectoryShadow, insteadOf old: DirectoryShadow?, in id: DirectoryID) {
    if let old { forget(old, in: id) }
    for item in shadow.items {
      newestChange[id.device] = max(newestChange[id.device] ?? .min, item.changed)
      guard item.kind == .directory else { continue }
      parents[item.directory] = id
      removeAnchor(item.directory)
    }
  }

  private mutating func forget(_ shadow: DirectoryShadow, in id: DirectoryID) {
    for item in shadow.items where item.kind == .directory && parents[item.directory] == id {
      parents[item.directory] = nil
    }
  }

  mutating func noteChange(_ changed: Int64, on device: UInt64) {
    newestChange[device] = max(newestChange[device] ?? .min, changed)
  }

  /// Whether a listing made now shows every change during the time of this stamp.
  ///
  /// The clock of a server may differ from this machine's. Its times are compared with each other, and with how long
  /// they lasted.
  func isFinal(_ stamp: DirectoryStamp, since: MonotonicTime, on device: UInt64, at now: MonotonicTime) -> Bool {
    if now - since >= Self.granularity { return true }
    guard let newest = newestChange[device] else { return false }
    return max(stamp.changed, stamp.modified) < newest - Self.granularity
  }

  /// Takes the directories that the last pass did not reach.
  ///
  /// Each may have moved to a place whose parent the kernel reports, and must be marked again there.
  ///
  /// - Parameter silent: Devices with mounts that did not answer; nothing is known about their directories.
  mutating func takeLost(butOn silent: Set<UInt64>) -> [MarkID] {
    var lost: [MarkID] = []
    for (id, item) in items where item.lastPass < pass && !item.isLost && !silent.contains(id.device) {
      if case .open = item.anchor { continue }
      items[id]?.isLost = true
      removeAnchor(id)
      lost.append(item.mark)
    }
    return lost.sorted { $0.rawValue < $1.rawValue }
  }
}
