import FileIdentity
import LinuxFileSystem
import SystemPackage

/// What is on a file system on which a stored tree may be: which inodes have its tags, and which have none.
struct ItemsOnDisk {
  /// An item without a tag.
  private struct Untagged {
    var key: FileKey
    var kind: FileKind
    var size: Int64
    var modified: Int64
    var nameStart: Int
    var nameCount: Int
    var directory: UInt32
    var number: UInt32
  }

  /// The inode with a tag, or that there are several.
  private enum Holder {
    case one(FileKey, FileKind)
    case several
  }

  /// The identities of the tree.
  private let known: Set<UUIDBits>
  private var holders: [UUIDBits: Holder] = [:]
  private var tags: [FileKey: UUIDBits] = [:]
  private var untagged: [Untagged] = []
  /// The names of those without a tag.
  private var names: [UInt8] = []

  init(of storage: GraphStorage) {
    known = Set(storage.liveIDs.map { storage.nodes[$0.index].uuid })
  }

  /// Looks at everything below a directory, on its file system.
  ///
  /// What cannot be listed is left out: it is compared when it can be.
  ///
  /// - Parameters:
  ///   - path: The path of the directory below the observed one.
  ///   - level: The level of the directory; -1 for the observed one.
  ///   - filter: What was observed of the tree: copies elsewhere do not count.
  mutating func collect(
    below directory: DirectoryHandle, at path: [UInt8], level: Int, _ filter: ItemFilter, _ files: GuardedFileSystem
  ) {
    guard let device = (try? files.status(of: directory))?.device else { return }
    guard let scan = try? TreeScan(reading: directory, level: level, path: path, filter, files) else { return }
    (untagged, names) = ([], [])
    try? scan.run(threads: processorCount) { listing in
      for scanned in listing.entries where scanned.entry.key.device == device { note(scanned, in: listing) }
      return true
    }
  }

  private mutating func note(_ scanned: ScannedEntry, in listing: DirectoryListing) {
    let entry = scanned.entry
    guard let tag = entry.tag.uuid else { return noteUntagged(scanned, in: listing) }
    tags[entry.key] = tag
    guard known.contains(tag) else { return }
    if case .one(entry.key, _) = holders[tag] { return }
    holders[tag] = holders[tag] == nil ? .one(entry.key, entry.kind) : .several
  }

  private mutating func noteUntagged(_ scanned: ScannedEntry, in listing: DirectoryListing) {
    let entry = scanned.entry
    let item = Untagged(
      key: entry.key, kind: entry.kind, size: entry.size, modified: entry.modified, nameStart: names.count,
      nameCount: Int(scanned.nameCount), directory: listing.number, number: scanned.listing)
    untagged.append(item)
    names.append(contentsOf: listing.nameBytes(of: scanned))
  }

  /// The items without a tag below the directory that was looked at last.
  ///
  /// - Parameter taken: The inodes that are known to be others.
  func untagged(except taken: Set<FileKey>) -> [UntaggedMatch.Item] {
    untagged.lazy.filter { !taken.contains($0.key) }.map { item in
      UntaggedMatch.Item(
        key: item.key, kind: item.kind, size: item.size, modified: item.modified,
        name: FileName(bytes: names[item.nameStart..<item.nameStart + item.nameCount]), directory: item.directory,
        number: item.number)
    }
  }

  /// The only inode with the tag of an item, wherever it is.
  func holder(of node: Node) -> FileKey? {
    guard case .one(let key, node.kind) = holders[node.uuid] else { return nil }
    return key
  }

  /// The tag of an inode.
  func tag(of key: FileKey) -> UUIDBits? { tags[key] }

  /// Whether a tag is of an item of the tree.
  func isKnown(_ tag: UUIDBits) -> Bool { known.contains(tag) }
}
