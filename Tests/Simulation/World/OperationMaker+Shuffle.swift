import LinuxFileSystem

// The same names again and again: what a source of events may merge, and what it may tell in another order.

extension OperationMaker {
  /// Renames and exchanges a few documents, over and over.
  mutating func shuffle() -> Operation? {
    let choices = census.files.map(\.path).filter(isDocument)
    var origins: [Path] = []
    for _ in 0..<1 + random.below(3) {
      if let path = random.pick(choices), !origins.contains(path) { origins.append(path) }
    }
    guard let first = origins.first else { return nil }
    var pool = origins
    for directory in [first.parent, directory()].prefix(1 + random.below(2)) {
      if let path = freePath(in: directory), !pool.contains(path) { pool.append(path) }
    }
    guard pool.count > 1 else { return nil }
    return shuffle(origins, over: pool)
  }

  private mutating func shuffle(_ origins: [Path], over pool: [Path]) -> Operation? {
    /// The documents at the places of the pool, by their numbers.
    var standing: [Path: Int] = [:]
    for (number, path) in origins.enumerated() { standing[path] = number }
    var steps: [Step] = []
    for _ in 0..<2 + random.below(16) {
      guard let from = random.pick(pool.filter { standing[$0] != nil }), let to = random.pick(pool), from != to else {
        continue
      }
      if standing[to] == nil, random.chance(1, of: 5) {
        steps += [Step(.link(from, to)), Step(.unlink(to))]
        continue
      }
      steps += shuffle(from, to, isTaken: standing[to] != nil)
      (standing[from], standing[to]) = (standing[to], standing[from])
    }
    if steps.isEmpty { return nil }
    var places = origins
    for (path, number) in standing { places[number] = path }
    return Operation(
      id: 0, title: "shuffle", steps: steps, intent: .shuffle(origins, to: places), writes: pool)
  }

  private mutating func shuffle(_ from: Path, _ to: Path, isTaken: Bool) -> [Step] {
    let pause = random.chance(1, of: 8) ? pause(longest: 20_000_000) : []
    return [Step(.rename(from, to, isTaken ? .exchanging : .notReplacing))] + pause
  }
}
