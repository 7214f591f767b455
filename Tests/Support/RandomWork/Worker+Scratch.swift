import FileSystemObservation
import FileTestSupport
import SystemPackage

// Files and folders without an expected identity, and operations on the shared folders.

extension Worker {
  mutating func scratchStep() throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<40: try create()
    case 40..<55: try removeOne()
    case 55..<75: try renameOne()
    case 75..<85: try makeTree()
    case 85..<92: try copyTree()
    default: try createAndRemove()
    }
  }

  private mutating func create() throws(Errno) {
    let folder = anyFolder()
    let name = freeName(in: folder)
    if random.chance(1, of: 6) {
      guard Ability.symbolicLinks.isPossible else { return }
      try tree[folder].symlink("nowhere", name)
    } else if random.chance(1, of: 4) {
      try tree[folder].write("\(name).part", "partial")
      try tree[folder].rename("\(name).part", name)
    } else {
      try tree[folder].write(name)
    }
    scratch.insert(Place(folder: folder, name: name))
  }

  private mutating func removeOne() throws(Errno) {
    guard let place = scratch.randomElement(using: &random) else { return }
    try tree[place.folder].unlink(place.name)
    scratch.remove(place)
  }

  private mutating func renameOne() throws(Errno) {
    guard let place = scratch.randomElement(using: &random) else { return }
    let folder = anyFolder()
    // Over another file half of the time.
    let victim = scratch.filter { $0.folder == folder && $0 != place }.randomElement(using: &random)
    let name = random.chance(1, of: 2) ? victim?.name ?? freeName(in: folder) : freeName(in: folder)
    try tree[place.folder].rename(place.name, tree[folder][name])
    scratch.remove(place)
    scratch.insert(Place(folder: folder, name: name))
  }

  private mutating func createAndRemove() throws(Errno) {
    let folder = tree[anyFolder()]
    let name = "t\(number)-4913-\(nextSerial())"
    try folder.write(name)
    try folder.unlink(name)
  }

  /// Makes a tree that no other thread knows, and may rename and remove it.
  private mutating func makeTree() throws(Errno) {
    let folder = tree[anyFolder()]
    let name = "t\(number)-tree\(nextSerial())"
    try folder.makeDirectories("\(name)/x/y")
    for path in ["1.txt", "x/2.txt", "x/y/3.txt"] { try folder.write("\(name)/\(path)") }
    if random.chance(1, of: 2) { try folder.rename("\(name)/x", "\(name)/z") }
    if random.chance(1, of: 3) { folder.folder(name).removeTree() }
  }

  private mutating func copyTree() throws {
    let folder = tree[anyFolder()]
    let name = "t\(number)-copied\(nextSerial())"
    try folder.makeDirectories("\(name)/x")
    try folder.write("\(name)/x/1.txt")
    if random.chance(1, of: 2) { (Moment.now + .milliseconds(900)).sleep() }
    try Command.run("cp", "-a", folder[name], folder["\(name)-copy"])
    border.noteCopy()
    if random.chance(1, of: 3) { folder.folder(name).removeTree() }
  }
}

// MARK: - Shared folders

extension Worker {
  mutating func folderStep() throws {
    let count = tree.count
    let folder = anyFolder()
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<20 where count < 14: try tree.make(folderName(), in: folder)
    case 20..<40 where count > 1 && Ability.exchange.isPossible:
      try tree.exchange(Int.random(in: 1..<count, using: &random), max(1, folder))
    case 40..<50: try takeOut(folder, to: anyFolder())
    default: _ = try tree.move(folder, to: anyFolder(), as: folderName())
    }
  }

  private mutating func folderName() -> String { "folder\(number)-\(nextSerial())" }

  /// Takes a folder out and back.
  ///
  /// No thread may work in it meanwhile, and all its files must have tags: without those, they cannot be recognized.
  private mutating func takeOut(_ folder: Int, to parent: Int) throws {
    let name = folderName()
    let pause = Duration.milliseconds(random.chance(1, of: 2) ? 0 : 900)
    try border.crossing {
      let untagged = DiskInventory(of: tree[folder]).items.values.contains { $0.kind != .symlink && $0.tag == nil }
      if untagged { return }
      _ = try tree.move(folder, to: parent, as: name) { (Moment.now + pause).sleep() }
    }
  }
}
