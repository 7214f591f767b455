import FileTestSupport

/// Patterns and paths of few characters, so that they often match each other; all of it follows from a seed.
struct PatternGenerator {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  private static let names: [[UInt8]] =
    ["a", "b", "ab", "A", ".a", "a.b", "a ", "[", "!a", "#a", "*", "\u{e9}", "\\"].map { Array($0.utf8) } + [[0xff]]
  private static let wildcards = [
    "*", "?", "??", "*b", "a*", "*a*", "*.b", "**", "**", "**", "a**", "[ab]", "[!a]", "[^b]*", "[[:alpha:]]",
    "[[:punct:]]*",
    "[a-b]*", "[]-a]", "[[]", "\\*", "\\a", "\\!a", "\\#a", "\\[", "\\\\", "[\\]a]", "[b-a]", "[[:x:]]", "*[!ab]",
    "?[b.]",
  ]
  private static let characters = Array("aabb.A[]!^-**?\\#: /é".utf8)

  private mutating func pick<Item>(_ items: [Item]) -> Item { items[Int.random(in: items.indices, using: &random)] }

  /// A list of up to four patterns.
  mutating func list() -> [[UInt8]] { (0...Int.random(in: 0...3, using: &random)).map { _ in pattern() } }

  /// A pattern, which may be malformed.
  mutating func pattern() -> [UInt8] {
    var bytes: [UInt8] = random.chance(1, of: 5) ? Array("!".utf8) : []
    if random.chance(1, of: 4) { bytes += "/".utf8 }
    let count = pick([1, 1, 2, 2, 3])
    for index in 0..<count { bytes += (index > 0 ? "/" : "").utf8 + segment() }
    if random.chance(1, of: 4) { bytes += "/".utf8 }
    if random.chance(1, of: 8) { bytes += pick([" ", "\\ ", "  "]).utf8 }
    return bytes
  }

  private mutating func segment() -> [UInt8] {
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: pick(Self.names)
    case 2, 3, 4: Array(pick(Self.wildcards).utf8)
    default: (0...Int.random(in: 0...4, using: &random)).map { _ in pick(Self.characters) }
    }
  }

  /// Paths of up to four levels; those of directories end with a slash, and come before what is in them.
  mutating func tree(below directory: [UInt8] = [], level: Int = 0) -> [[UInt8]] {
    var paths: [[UInt8]] = []
    for name in Self.names where level == 0 || random.chance(2, of: 3 + level) {
      let path = directory + name
      let isDirectory = level < 3 && random.chance(1, of: 2)
      paths.append(isDirectory ? path + "/".utf8 : path)
      if isDirectory, paths.count < 40 { paths += tree(below: path + "/".utf8, level: level + 1) }
    }
    return paths
  }
}
