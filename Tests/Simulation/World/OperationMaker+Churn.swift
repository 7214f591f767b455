import LinuxFileSystem

// What the endurance test does to real folders: most calls meet what another program has just made, moved or removed.

extension OperationMaker {
  /// Calls on a few names, chosen without looking what is there; most of them fail.
  mutating func churn() -> Operation? {
    var steps: [Step] = []
    for _ in 0..<1 + random.below(60) { steps += churnCalls() }
    return Operation(
      id: 0, title: "churn", steps: steps.map { Step($0.action, mayFail: true) }, intent: .anything,
      writes: [places.tree])
  }

  private mutating func churnCalls() -> [Step] {
    let (one, other) = (churnPath(), churnPath())
    switch random.below(20) {
    case 0..<6: return [Step(.open(one, 0, truncating: true, creating: true)), Step(.write(0)), Step(.close(0))]
    case 6..<8: return [Step(.open(one, 0, truncating: false, creating: false)), Step(.write(0)), Step(.close(0))]
    case 8..<13: return [Step(.rename(one, other, .replacing))]
    case 13: return [Step(.rename(one, other, .exchanging))]
    case 14: return [Step(.link(one, other))]
    case 15..<17: return [Step(.unlink(one))]
    case 17..<19: return [Step(.make(.directory, churnDirectory()))]
    default: return [Step(.rmdir(churnDirectory()))] + pause(longest: 1_000_000_000)
    }
  }

  private mutating func churnPath() -> Path {
    let name = random.chance(1, of: 2) ? "f\(random.below(6))" : nil
    let directory = churnDirectory()
    return name.map { directory.appending(names.number($0)) } ?? directory
  }

  private mutating func churnDirectory() -> Path {
    var path = places.tree
    for _ in 0..<1 + random.below(3) { path = path.appending(names.number("d\(random.below(4))")) }
    return path
  }
}
