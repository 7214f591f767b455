import FileIdentity
import LinuxFileSystem

/// What there is in the simulated machine, for choosing what to do next.
struct Census {
  private(set) var files: [Dentry] = []
  /// Without the observed directory itself.
  private(set) var directories: [Dentry] = []
  private(set) var others: [Dentry] = []
  private(set) var outside: [Dentry] = []

  private let names: NameTable

  init(_ disk: SimulatedDisk, _ places: Places) {
    names = disk.names
    renew(disk, places)
  }

  /// Takes stock anew.
  mutating func renew(_ disk: SimulatedDisk, _ places: Places) {
    files.removeAll(keepingCapacity: true)
    directories.removeAll(keepingCapacity: true)
    others.removeAll(keepingCapacity: true)
    if let tree = disk.find(places.tree) { collect(tree) }
    outside = (disk.find(places.outside)?.entries ?? []) + (disk.find(places.trash)?.entries ?? [])
  }

  private mutating func collect(_ directory: Inode) {
    // Nobody works on what an operation is making.
    for entry in directory.entries where !names.isWorkName(entry.name) {
      switch entry.inode.kind {
      case .file: files.append(entry)
      case .directory:
        directories.append(entry)
        collect(entry.inode)
      case .symlink, .special: others.append(entry)
      }
    }
  }
}

extension Dentry {
  /// The path that leads here.
  var path: Path {
    var names = [name]
    var directory: Dentry? = parent.ownName
    while let above = directory {
      names.append(above.name)
      directory = above.parent.ownName
    }
    return Path(names.reversed())
  }
}

/// The fixed directories of the simulated machine.
struct Places {
  var tree: Path
  var outside: Path
  var trash: Path
  var other: Path

  init(_ names: NameTable) {
    tree = names.path("tree")
    outside = names.path("outside")
    trash = names.path("trash")
    other = names.path("other")
  }
}

extension SimulatedDisk {
  /// A machine with an observed tree, a folder outside it, a trash folder, and a folder on another file system.
  convenience init(standard names: NameTable) {
    self.init(names: names)
    for name in ["tree", "outside", "trash"] { mount(names.number(name), device: Self.mainDevice) }
    mount(names.number("other"), device: Self.otherDevice)
  }
}

extension SimulatedDisk {
  /// What is below a directory.
  func forEachEntry(below directory: Inode, _ body: (Dentry) -> Void) {
    for entry in directory.entries {
      body(entry)
      if entry.inode.kind == .directory { forEachEntry(below: entry.inode, body) }
    }
  }

  /// The UUIDs that the tags of several inodes have.
  func sharedTags() -> Set<UUIDBits> {
    var bearers: [UUIDBits: Inode] = [:]
    var shared: Set<UUIDBits> = []
    forEachEntry(below: root) { entry in
      guard case .uuid(let uuid) = entry.inode.tag else { return }
      if let other = bearers.updateValue(entry.inode, forKey: uuid), other !== entry.inode { shared.insert(uuid) }
    }
    return shared
  }
}
