import FileIdentity
import LinuxFileSystem

/// An item that has ended, and may come back.
struct EndedItem: Sendable {
  /// A name in a folder that is not there now: it may have been given to another inode meanwhile.
  struct Absence: Hashable, Sendable {
    var folder: UUIDBits
    var name: FileName
  }

  /// What a file was when it was removed.
  struct Former: Hashable, Sendable {
    /// Below the observed directory.
    var path: [UInt8]
    var size: Int64
    var modified: Int64
    /// The digest of its content, if that was known.
    var digest: ContentDigest?

    /// Whether a file with a size and a time is the same, put back by a program that keeps times: archives keep whole
    /// seconds only, or every second one.
    func isSame(size: Int64, modified: Int64) -> Bool {
      guard size > 0, size == self.size else { return false }
      if modified == self.modified { return true }
      let isRounded = modified % 1_000_000_000 == 0 || self.modified % 1_000_000_000 == 0
      // Times may be as far apart as their type allows.
      let difference = UInt64(bitPattern: max(modified, self.modified) &- min(modified, self.modified))
      return isRounded && difference < 2_000_000_000
    }
  }

  var uuid: UUIDBits
  /// The inode with which it ended.
  var key: FileKey
  /// Where it was, if it is a file and its file system was unmounted.
  var absence: Absence?
  /// What it was, if it is a file that was removed.
  var former: Former?
  /// The identity that its inode has now, if it was a copy that continues the item of which it was one.
  ///
  /// Others may have been copied from it before its new tag was written.
  var successor: UUIDBits?
}

/// A bounded memory of ended identities, to recognize those that come back; the oldest is forgotten first.
struct EndedIdentities: Sendable {
  static let limit = 65_536
  private var items: [UUIDBits: EndedItem] = [:]
  private var order: [UUIDBits] = []
  private var oldest = 0
  /// The absent files, by the folder that they were in.
  private var absent: [UUIDBits: [FileName: UUIDBits]] = [:]
  /// The removed files, by the path of each: of several, the last one.
  private var restorable: [[UInt8]: UUIDBits] = [:]

  mutating func insert(_ item: EndedItem) {
    forgetPlace(of: item.uuid)
    if let former = item.former { restorable[former.path] = item.uuid }
    if let absence = item.absence { absent[absence.folder, default: [:]][absence.name] = item.uuid }
    guard items.updateValue(item, forKey: item.uuid) == nil else { return }
    if order.count < Self.limit {
      order.append(item.uuid)
      return
    }
    forgetPlace(of: order[oldest])
    items[order[oldest]] = nil
    order[oldest] = item.uuid
    oldest = (oldest + 1) % Self.limit
  }

  private mutating func forgetPlace(of uuid: UUIDBits) {
    forgetAbsence(of: uuid)
    forgetFormer(of: uuid)
  }

  /// All items, the oldest first.
  var all: [EndedItem] {
    (order[oldest...] + order[..<oldest]).compactMap { uuid in
      guard var item = items[uuid] else { return nil }
      if !isAbsent(item) { item.absence = nil }
      return item
    }
  }

  var isEmpty: Bool { items.isEmpty }

  func contains(_ uuid: UUIDBits) -> Bool { items[uuid] != nil }

  /// The inode with which an identity ended.
  func key(of uuid: UUIDBits) -> FileKey? { items[uuid]?.key }

  /// The identity that continues in the inode with which another ended.
  func successor(of uuid: UUIDBits) -> UUIDBits? { items[uuid]?.successor }

  /// The identity that continues in that inode now: the last of several that followed each other.
  func heir(of uuid: UUIDBits) -> UUIDBits? {
    var passed: Set<UUIDBits> = [uuid]
    var heir: UUIDBits?
    while let next = successor(of: heir ?? uuid), passed.insert(next).inserted { heir = next }
    return heir
  }

  /// Whether an identity ended with this inode.
  func contains(_ uuid: UUIDBits, on key: FileKey) -> Bool { items[uuid]?.key == key }

  /// Whether an identity ended with another inode.
  func contains(_ uuid: UUIDBits, onOtherThan key: FileKey) -> Bool { items[uuid].map { $0.key != key } ?? false }
}

// MARK: - Files that may be restored

extension EndedIdentities {
  var hasRestorableItems: Bool { !restorable.isEmpty }

  /// The file that was removed last at a path.
  func restorableItem(at path: [UInt8]) -> EndedItem? { restorable[path].flatMap { items[$0] } }

  private mutating func forgetFormer(of uuid: UUIDBits) {
    guard let former = items[uuid]?.former, restorable[former.path] == uuid else { return }
    restorable[former.path] = nil
  }
}

// MARK: - Files of file systems that are not mounted

extension EndedIdentities {
  var hasAbsentItems: Bool { !absent.isEmpty }

  /// The file that had a name in a folder when their file system was unmounted.
  func absentItem(named name: FileName, in folder: UUIDBits) -> UUIDBits? { absent[folder]?[name] }

  /// The name that a file had when its file system was unmounted; its folder may be back.
  func lastName(ofAbsentItem uuid: UUIDBits) -> FileName? { items[uuid]?.absence?.name }

  /// The folder is back, and what it contains is known.
  mutating func endAbsences(in folder: UUIDBits) { absent[folder] = nil }

  private func isAbsent(_ item: EndedItem) -> Bool {
    item.absence.map { absentItem(named: $0.name, in: $0.folder) == item.uuid } ?? false
  }

  private mutating func forgetAbsence(of uuid: UUIDBits) {
    guard let item = items[uuid], isAbsent(item), let absence = item.absence else { return }
    absent[absence.folder]?[absence.name] = nil
    if absent[absence.folder]?.isEmpty == true { absent[absence.folder] = nil }
  }
}
