import FileIdentity
import LinuxFileSystem

/// Makes random system calls, most of them on what is there.
struct CallMaker {
  private static let names = ["a", "b", "c", "d"]
  private static let depth = 3

  private let disk: SimulatedDisk
  private let tree: Path
  private var random: Random
  private var choices: [NameNumber]

  init(_ disk: SimulatedDisk, _ tree: Path, seed: UInt64) {
    self.disk = disk
    self.tree = tree
    random = Random(seed: seed)
    choices = Self.names.map { disk.names.number($0) }
  }

  mutating func make() -> Action {
    let file = random.below(3)
    switch random.below(24) {
    case 0, 1: return .create(path(), file)
    case 2: return .open(path(), file, truncating: random.chance(1, of: 2), creating: random.chance(1, of: 2))
    case 3: return .createUnnamed(in: directory(), file)
    case 4, 5: return .write(file)
    case 6, 7: return .close(file)
    case 8: return .linkUnnamed(file, path())
    case 9, 10: return .make(.directory, path())
    case 11: return .make(random.chance(1, of: 2) ? .symlink : .special, path())
    case 12: return .link(path(), path())
    case 13, 14: return .unlink(path())
    case 15: return .rmdir(path())
    case 16, 17, 18: return .rename(path(), path(), .replacing)
    case 19: return .rename(path(), path(), .notReplacing)
    case 20: return .rename(path(), path(), .exchanging)
    case 21: return .setTag(path(), tag())
    case 22: return .touch(path())
    default: return .chmod(path(), random.chance(1, of: 2) ? 0o755 : 0o644)
    }
  }

  private mutating func tag() -> TagValue {
    switch random.below(4) {
    case 0: .none
    case 1: .garbage(random.pick([1, 35, 36, 3_000]) ?? 1)
    default: .uuid(UUIDBits(high: random.next(), low: random.next()))
    }
  }

  /// A directory that is there, mostly.
  private mutating func directory() -> Path {
    var path = tree
    for _ in 0..<random.below(Self.depth) {
      let inside = disk.find(path)?.entries.filter { $0.inode.kind == .directory } ?? []
      guard let next = random.pick(inside) else { break }
      path = path.appending(next.name)
    }
    return path
  }

  /// A name in some directory: of what is there, or not.
  private mutating func path() -> Path {
    let directory = directory()
    let entries = disk.find(directory)?.entries ?? []
    if random.chance(2, of: 3), let entry = random.pick(entries) {
      let path = directory.appending(entry.name)
      // Seldom a name in something that is no directory.
      return random.chance(1, of: 12) ? path.appending(choices[0]) : path
    }
    return directory.appending(choices[random.below(choices.count)])
  }
}
