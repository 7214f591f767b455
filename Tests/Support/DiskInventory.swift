package import FileSystemObservation
package import FoundationEssentials
internal import Glibc
package import SystemPackage

/// The items that are on the disk.
package struct DiskInventory: Sendable {
  package struct Item: Sendable {
    package var kind: FileSystemItem.Kind
    /// The UUID in the tag.
    package var tag: UUID?
    /// Why the tag could not be read; also set if it is no UUID.
    package var tagError: Errno?
    package var inode: FileInformation.Inode
    /// Whether an observer of this user can write a tag.
    package var isTaggable: Bool
  }

  package private(set) var items: [String: Item] = [:]
  private let includesHidden: Bool
  private let isExcluded: @Sendable (String) -> Bool

  /// Walks a folder.
  ///
  /// Symbolic links are not followed, and items that change during the walk are left out.
  package init(
    of folder: Folder, includesHidden: Bool = false,
    excluding isExcluded: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    self.includesHidden = includesHidden
    self.isExcluded = isExcluded
    walk(folder, "")
  }

  private mutating func walk(_ folder: Folder, _ prefix: String) {
    for entry in (try? Directory.list(folder.path)) ?? [] {
      guard let kind = entry.kind, includesHidden || !entry.name.hasPrefix(".") else { continue }
      let path = prefix + entry.name
      guard !isExcluded(path), let item = Self.item(folder, entry.name, kind) else { continue }
      items[path] = item
      if kind == .directory { walk(folder.folder(entry.name), path + "/") }
    }
  }

  private static func item(_ folder: Folder, _ name: String, _ kind: FileSystemItem.Kind) -> Item? {
    guard let status = try? folder.status(name) else { return nil }
    let isOwn = status.owner == geteuid() || geteuid() == 0
    let isWritable = geteuid() == 0 || status.mode & 0o200 != 0
    let isTaggable = kind != .symlink && isOwn && isWritable && folder.takesTag(name)
    var item = Item(kind: kind, inode: status.inode, isTaggable: isTaggable)
    do throws(Errno) {
      if kind != .symlink { item.tag = try folder.tag(name) }
    } catch {
      item.tagError = error
    }
    return item
  }
}

// MARK: - Comparing

extension DiskInventory {
  /// The differences between the announced items and the disk.
  package func differences(from announced: [String: Replay.Item]) -> [String] {
    var differences: [String] = []
    for (path, item) in items {
      guard let other = announced[path] else {
        differences.append("on disk, but not told: \(path)")
        continue
      }
      if item.kind != other.kind { differences.append("\(path) is a \(item.kind), told was a \(other.kind)") }
      if let problem = tagProblem(item, other.uuid) { differences.append("\(path): \(problem)") }
    }
    for path in announced.keys where items[path] == nil { differences.append("told, but not on disk: \(path)") }
    return differences + ambiguities(announced)
  }

  private func tagProblem(_ item: Item, _ uuid: UUID) -> String? {
    if let error = item.tagError { return "tag cannot be read: \(error)" }
    if let tag = item.tag { return tag == uuid ? nil : "bears \(tag), told was \(uuid)" }
    return item.isTaggable ? "bears no tag, told was \(uuid)" : nil
  }

  /// Checks that no UUID has two inodes, and no inode two UUIDs.
  private func ambiguities(_ announced: [String: Replay.Item]) -> [String] {
    var ambiguities: [String] = []
    var bearers: [UUID: (FileInformation.Inode, String)] = [:]
    var names: [FileInformation.Inode: (UUID, String)] = [:]
    for (path, item) in items {
      if let tag = item.tag ?? announced[path]?.uuid {
        if let (inode, other) = bearers[tag], inode != item.inode {
          ambiguities.append("\(path) and \(other) are two files with one UUID, \(tag)")
        }
        bearers[tag] = (item.inode, path)
      }
      guard let uuid = announced[path]?.uuid else { continue }
      if let (known, other) = names[item.inode], known != uuid {
        ambiguities.append("\(path) and \(other) are one file, told as two: \(uuid), \(known)")
      }
      names[item.inode] = (uuid, path)
    }
    return ambiguities
  }
}

extension FileSystemSnapshot {
  /// The items by their path relative to the root.
  package func itemsByPath(root path: String) -> [String: Replay.Item] {
    var items: [String: Replay.Item] = [:]
    for item in self {
      items[Replay.relative(item.path, to: path)] = Replay.Item(uuid: item.uuid, kind: item.kind)
    }
    return items
  }
}
