import LinuxFileSystem
import SystemPackage

/// The directories that are polled, and the ways to them.
struct PolledDirectories<Directory: AnyObject & Sendable>: Sendable {
  struct Item: Sendable {
    var mark: MarkID
    var scope: MarkScope
    /// The way to it, where nothing leads to it that is polled.
    var anchor: Anchor<Directory>?
    var stamp: DirectoryStamp?
    /// When it was first seen with this stamp.
    var stampSince: MonotonicTime
    /// Whether a change after the listing would have changed the stamp.
    var isListingFinal = false
    /// None while somebody looks at the directory.
    var shadow: DirectoryShadow?
    /// In which pass it was looked at last, or marked.
    var lastPass: UInt64
    /// Whether tags were written meanwhile whose times nobody wants to hear of.
    var mustAdoptTimes = false
    /// Whether the kernel would tell of it if there were room for another mark.
    var wantsMark = false
    /// The kernel's mark of it, until it is marked again by whoever is told to.
    var takenMark: MarkID?
    /// Whether its own attributes may have changed before it was polled: fanotify tells of them only where the
    /// directory is marked.
    var isOwnChangeUntold = false
    /// Whether it was told that nothing leads to it any more.
    var isLost = false
    var recent = RecentLooks()
  }

  private(set) var items: [DirectoryID: Item] = [:]
  private var directories: [MarkID: DirectoryID] = [:]
  /// In which polled directory each directory is an entry.
  private var parents: [DirectoryID: DirectoryID] = [:]
  private(set) var anchors: Set<DirectoryID> = []
  /// The same in the order in which they were marked: what is found does not depend on chance.
  var sortedAnchors: [DirectoryID] {
    anchors.sorted { (items[$0]?.mark.rawValue ?? 0) < (items[$1]?.mark.rawValue ?? 0) }
  }
  /// How many of them are kept open.
  private var openCount = 0
  private static var mostOpen: Int { 64 }
  private var lastMark = MarkID.firstOfPolling
  /// Counts the passes.
  var pass: UInt64 = 0
  /// The newest time that each file system gave an inode: what changes from now on has no older one.
  private var newestChange: [UInt64: Int64] = [:]
  /// Of which file systems the times of a directory change whenever its entries do; the others are listed in every
  /// pass.
  var timesFollowEntries: [UInt64: Bool] = [:]
  /// Times of a file system may be as coarse as this (FAT).
  static var granularity: Int64 { 2_000_000_000 }

  var isEmpty: Bool { items.isEmpty }
  /// Whether there are directories whose entries are wanted.
  var hasEntries: Bool { items.values.contains { $0.scope != .itself && $0.scope != .departures } }
  var wantingCount: Int { items.values.reduce(0) { $1.wantsMark ? $0 + 1 : $0 } }

  subscript(id: DirectoryID) -> Item? {
    get { items[id] }
    set { items[id] = newValue }
  }

  subscript(mark: MarkID) -> DirectoryID? { directories[mark] }

  /// What others have looked at since the last pass; from now on it is the next one's.
  mutating func takeRecent(_ id: DirectoryID) -> RecentLooks {
    defer { items[id]?.recent = RecentLooks() }
    return items[id]?.recent ?? RecentLooks()
  }

  /// Adds a directory, or changes what is wanted of it.
  ///
  /// - Parameters:
  ///   - mayStayOpen: Whether the directory may be kept open.
  ///   - path: Where it is, if it can be found by that.
  mutating func insert(
    _ id: DirectoryID, _ directory: Directory, mayStayOpen: () -> Bool, at path: () -> FilePath?,
    for scope: MarkScope, wantsMark: Bool, _ now: MonotonicTime
  ) -> MarkID {
    let mark = items[id]?.mark ?? lastMark
    if items[id] == nil {
      lastMark = MarkID(rawValue: lastMark.rawValue + 1)
      directories[mark] = id
      items[id] = Item(mark: mark, scope: scope, stampSince: now, lastPass: pass)
      items[id]?.isOwnChangeUntold = wantsMark
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

  /// The first of them are kept open if they may be; of the others the paths are kept, which may have to be found out
  /// again.
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

  /// Gives the mark that the kernel has of it already.
  mutating func remove(_ mark: MarkID) -> MarkID? {
    guard let id = directories.removeValue(forKey: mark) else { return nil }
    removeAnchor(id)
    let item = items.removeValue(forKey: id)
    if let shadow = item?.shadow { forget(shadow, in: id) }
    return item?.takenMark
  }

  /// Takes over a listing.
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

  /// Whether a listing made now shows whatever happened while the directory has this stamp.
  ///
  /// The clock of this machine says nothing of the times of a server: they are compared with its own, and with how long
  /// they last.
  func isFinal(_ stamp: DirectoryStamp, since: MonotonicTime, on device: UInt64, at now: MonotonicTime) -> Bool {
    if now - since >= Self.granularity { return true }
    guard let newest = newestChange[device] else { return false }
    return max(stamp.changed, stamp.modified) < newest - Self.granularity
  }

  /// The directories to which the last pass has found no way.
  ///
  /// Each may have moved to where the kernel tells of everything but what is in it, and is to be marked again where it
  /// is.
  ///
  /// - Parameter silent: Devices of which something did not answer: nothing is known of what is on them.
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
