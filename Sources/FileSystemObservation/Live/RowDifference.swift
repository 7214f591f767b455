/// The difference between two orders of rows, with the fewest moves.
struct RowDifference: Sendable {
  /// Consecutive rows that are consecutive before and after.
  struct Block: Sendable {
    var before: Int
    var after: Int
    var count: Int
  }

  /// A row that exists before and after.
  struct Pair: Sendable, Hashable {
    var before: Int
    var after: Int
  }

  /// The moved rows, ordered by their former index: the fewest whose removal leaves all others in order.
  ///
  /// - Parameter blocks: All rows that exist before and after, ordered by their former index.
  static func moves(_ blocks: [Block]) -> [Pair] {
    let isKept = heaviestIncreasing(blocks)
    var moves: [Pair] = []
    for (index, block) in blocks.enumerated() where !isKept[index] {
      for offset in 0..<block.count { moves.append(Pair(before: block.before + offset, after: block.after + offset)) }
    }
    return moves
  }

  /// Which blocks belong to a subsequence with increasing indices after and the most rows.
  ///
  /// - Complexity: O(*k* log *k*) for *k* blocks.
  private static func heaviestIncreasing(_ blocks: [Block]) -> [Bool] {
    var isKept = [Bool](repeating: true, count: blocks.count)
    if zip(blocks, blocks.dropFirst()).allSatisfy({ $0.after < $1.after }) { return isKept }
    var best = HeaviestPrefix(count: blocks.count)
    var previous = [Int](repeating: -1, count: blocks.count)
    var weights = [Int](repeating: 0, count: blocks.count)
    for (index, rank) in ranks(blocks).enumerated() {
      previous[index] = best.heaviest(below: rank)
      weights[index] = blocks[index].count + (previous[index] < 0 ? 0 : weights[previous[index]])
      best.insert(index, at: rank, weight: weights[index])
    }
    isKept = [Bool](repeating: false, count: blocks.count)
    var next = best.heaviest(below: blocks.count)
    while next >= 0 {
      isKept[next] = true
      next = previous[next]
    }
    return isKept
  }

  /// The position of each block in the order after.
  private static func ranks(_ blocks: [Block]) -> [Int] {
    var ranks = [Int](repeating: 0, count: blocks.count)
    let order = blocks.indices.sorted { blocks[$0].after < blocks[$1].after }
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    return ranks
  }
}

/// Finds the heaviest element below a rank: a binary indexed tree of maxima.
private struct HeaviestPrefix {
  private var nodes: [(weight: Int, index: Int)]

  init(count: Int) {
    nodes = Array(repeating: (0, -1), count: count + 1)
  }

  /// The index of the heaviest element with a lower rank; -1 if there is none.
  func heaviest(below rank: Int) -> Int {
    var found = (weight: 0, index: -1)
    var node = rank
    while node > 0 {
      if nodes[node].weight > found.weight { found = nodes[node] }
      node &= node - 1
    }
    return found.index
  }

  mutating func insert(_ index: Int, at rank: Int, weight: Int) {
    var node = rank + 1
    while node < nodes.count {
      if weight > nodes[node].weight { nodes[node] = (weight, index) }
      node += node & -node
    }
  }
}

// MARK: - A few changed rows among many

extension RowDifference {
  /// The blocks of a list in which few rows were removed, inserted or placed anew.
  ///
  /// - Parameters:
  ///   - beforeCount: The number of rows before.
  ///   - removed: The indices before of rows that are gone, in any order.
  ///   - inserted: The indices after of new rows, in any order.
  ///   - placed: The rows that were taken out and put in again.
  /// - Complexity: O(*k* log *k*) for *k* such rows, however many others there are.
  static func blocks(beforeCount: Int, removed: [Int], inserted: [Int], placed: [Pair]) -> [Block] {
    let former = Gaps((removed + placed.map(\.before)).sorted())
    let new = Gaps((inserted + placed.map(\.after)).sorted())
    let untouched = beforeCount - former.count
    let cuts = (Set(former.cuts).union(new.cuts).union([0, untouched])).sorted()
    var blocks = placed.map { Block(before: $0.before, after: $0.after, count: 1) }
    for (start, end) in zip(cuts, cuts.dropFirst()) {
      blocks.append(
        Block(before: former.index(ofUntouched: start), after: new.index(ofUntouched: start), count: end - start))
    }
    return blocks.sorted { $0.before < $1.before }
  }

  /// The blocks of two orders of all rows.
  ///
  /// - Parameter pairs: All rows that exist before and after, ordered by their former index.
  static func blocks(of pairs: [Pair]) -> [Block] {
    var blocks: [Block] = []
    for pair in pairs {
      if let last = blocks.last, last.before + last.count == pair.before, last.after + last.count == pair.after {
        blocks[blocks.count - 1].count += 1
      } else {
        blocks.append(Block(before: pair.before, after: pair.after, count: 1))
      }
    }
    return blocks
  }

  /// The touched rows of a list, seen from the untouched ones.
  struct Gaps {
    /// How many untouched rows are before each touched one, in ascending order.
    let cuts: [Int]

    init(_ touched: [Int]) {
      cuts = touched.enumerated().map { $1 - $0 }
    }

    var count: Int { cuts.count }

    /// The index in the list of the untouched row with a number.
    func index(ofUntouched number: Int) -> Int {
      number + Self.firstIndex(cuts.count) { cuts[$0] > number }
    }

    /// The number of the untouched row with an index in the list.
    func number(ofUntouched index: Int) -> Int {
      index - Self.firstIndex(cuts.count) { cuts[$0] + $0 > index }
    }

    /// The first index of which a condition is true; it is false for all before.
    private static func firstIndex(_ count: Int, where isAfter: (Int) -> Bool) -> Int {
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        if isAfter(middle) { high = middle } else { low = middle + 1 }
      }
      return low
    }
  }
}
