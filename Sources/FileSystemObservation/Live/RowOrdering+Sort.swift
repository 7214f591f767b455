// Sorting all rows: the keys of all rows are in one buffer, and eight bytes at a time are compared as a number.

extension RowOrdering {
  /// Sorts entries.
  mutating func sort(_ ids: [NodeID], in graph: FileGraph) -> [NodeID] {
    var keys: [UInt8] = []
    keys.reserveCapacity(ids.count * 32)
    var starts: [Int] = []
    starts.reserveCapacity(ids.count + 1)
    for id in ids {
      starts.append(keys.count)
      append(id, in: graph, to: &keys)
    }
    starts.append(keys.count)
    let ties = { (first: Int, second: Int) -> Bool in
      self.precedesInTies(ids[first], ids[second], in: graph)
    }
    return KeySort(keys: keys, starts: starts).sorted(ties).map { ids[Int($0)] }
  }

  /// Compares two entries whose keys are equal.
  func precedesInTies(_ first: NodeID, _ second: NodeID, in graph: FileGraph) -> Bool {
    var (left, right): ([UInt8], [UInt8]) = ([], [])
    appendTies(first, in: graph, to: &left)
    appendTies(second, in: graph, to: &right)
    return left.lexicographicallyPrecedes(right)
  }
}

/// Sorts keys of bytes, none of which is the beginning of another.
struct KeySort {
  /// A key with eight of its bytes.
  private struct Entry {
    var word: UInt64
    var index: UInt32
  }

  let keys: [UInt8]
  /// Where each key begins; at last, where the last one ends.
  let starts: [Int]

  /// The indices of the keys in order.
  ///
  /// - Parameter precedes: Compares two keys that are equal.
  func sorted(_ precedes: (Int, Int) -> Bool) -> [UInt32] {
    var entries = (0..<UInt32(max(0, starts.count - 1))).map { Entry(word: 0, index: $0) }
    sort(&entries, from: 0, precedes)
    return entries.map(\.index)
  }

  private func count(_ entry: Entry) -> Int { starts[Int(entry.index) + 1] - starts[Int(entry.index)] }

  private func sort(_ entries: inout [Entry], from depth: Int, _ precedes: (Int, Int) -> Bool) {
    guard entries.count > 1 else { return }
    let depth = depth + commonCount(entries, from: depth)
    var areEqual = true
    for index in entries.indices {
      entries[index].word = word(entries[index], at: depth)
      if count(entries[index]) > depth { areEqual = false }
    }
    if areEqual { return entries.sort { precedes(Int($0.index), Int($1.index)) } }
    entries.sort { $0.word < $1.word }
    sortRuns(&entries, from: depth + 8, precedes)
  }

  /// Sorts the entries with the same word by what follows.
  private func sortRuns(_ entries: inout [Entry], from depth: Int, _ precedes: (Int, Int) -> Bool) {
    var start = 0
    while start < entries.count {
      var end = start + 1
      while end < entries.count, entries[end].word == entries[start].word { end += 1 }
      if end - start > 1 {
        var run = Array(entries[start..<end])
        sort(&run, from: depth, precedes)
        entries.replaceSubrange(start..<end, with: run)
      }
      start = end
    }
  }

  /// How many bytes all keys share from a depth on.
  private func commonCount(_ entries: [Entry], from depth: Int) -> Int {
    let first = starts[Int(entries[0].index)] + depth
    var common = max(0, count(entries[0]) - depth)
    for entry in entries.dropFirst() {
      common = min(common, max(0, count(entry) - depth))
      let start = starts[Int(entry.index)] + depth
      var same = 0
      while same < common, keys[first + same] == keys[start + same] { same += 1 }
      common = same
      if common == 0 { break }
    }
    return common
  }

  /// Eight bytes of a key as a number, with zeros after its end.
  private func word(_ entry: Entry, at depth: Int) -> UInt64 {
    let start = starts[Int(entry.index)] + depth
    let end = starts[Int(entry.index) + 1]
    var word: UInt64 = 0
    for index in start..<start + 8 { word = word << 8 | (index < end ? UInt64(keys[index]) : 0) }
    return word
  }
}
