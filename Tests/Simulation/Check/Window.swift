import FileIdentity
import LinuxFileSystem

/// The operations between two quiet points.
struct Window {
  /// An operation that has ended.
  struct Ended {
    var operation: Operation
    /// Whether it did what it intended, without having to wait.
    var isClear: Bool
    var began: Int64
  }

  /// Names of inodes that had several at the last quiet point, in the tree and outside, announced or not.
  var aliases: [(Path, Path)] = []
  var ended: [Ended] = []
  /// Whether an observer took some of the queued events long before the others.
  var isTorn = false
  /// Whether system calls of observers failed.
  var hasFaults = false

  /// Whether two sets of paths overlap; names of one inode count as one.
  static func conflict(_ first: [Path], _ second: [Path]) -> Bool {
    first.contains { path in second.contains { path.isInside($0) || $0.isInside(path) } }
  }

  /// The paths with all names of their inodes.
  func extended(_ paths: [Path]) -> [Path] {
    guard !aliases.isEmpty else { return paths }
    return paths + aliases.filter { alias in paths.contains { alias.0.isInside($0) } }.map { $0.1 }
  }
}

extension Simulation {
  func isVisible(_ name: NameNumber) -> Bool {
    options.includesHidden ? !names.isWorkName(name) : !names.isHidden(name)
  }

  func path(of directory: Inode) -> Path {
    guard let own = directory.ownName else { return Path([]) }
    return path(of: own.parent).appending(own.name)
  }

  /// Whether a sibling shows that a file is unfinished.
  func isHeldUp(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return isHeldUp(Path(places.tree.names + names.path(text).names))
  }

  func isHeldUp(_ path: Path) -> Bool {
    guard let name = path.last, let directory = disk.find(path.parent) else { return false }
    return isHeldUp(name, in: directory)
  }

  /// Whether a sibling of any of its names shows that a file is unfinished.
  func isHeldUp(_ inode: Inode) -> Bool { inode.dentries.contains { isHeldUp($0.name, in: $0.parent) } }

  func isHeldUp(_ name: NameNumber, in directory: Inode) -> Bool {
    directory.pendingNames > 0 && names.pendingSiblings(of: name).contains { directory.entry($0) != nil }
  }

  /// The tags of files that are outside the tree, or hidden in it.
  func tagsOutside() -> [UUIDBits] {
    var tags: [UUIDBits] = []
    if let tree = disk.find(places.tree) { collectHiddenTags(tree, isHidden: false, &tags) }
    for place in [places.outside, places.trash, places.other] {
      guard let directory = disk.find(place) else { continue }
      disk.forEachEntry(below: directory) { entry in
        if case .uuid(let uuid) = entry.inode.tag { tags.append(uuid) }
      }
    }
    return tags
  }

  private func collectHiddenTags(_ directory: Inode, isHidden: Bool, _ tags: inout [UUIDBits]) {
    for entry in directory.entries {
      let isHidden = isHidden || !isVisible(entry.name)
      if isHidden, case .uuid(let uuid) = entry.inode.tag { tags.append(uuid) }
      if entry.inode.kind == .directory { collectHiddenTags(entry.inode, isHidden: isHidden, &tags) }
    }
  }

  /// All pairs of names of inodes that have several, anywhere.
  func aliases() -> [(Path, Path)] {
    disk.linked.removeAll { $0.dentries.count < 2 }
    var aliases: [(Path, Path)] = []
    for inode in disk.linked {
      let paths = inode.dentries.map(\.path)
      for first in paths {
        for second in paths where first != second { aliases.append((first, second)) }
      }
    }
    return aliases
  }
}
