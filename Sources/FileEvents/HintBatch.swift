import LinuxFileSystem

/// Hints in the order the source learnt of them.
package struct HintBatch: Sendable {
  package var hints: [Hint]
  /// How many of the hints come before the first that was lost; none if none was.
  package private(set) var lossIndex: Int?
  /// The number of the first hint: the source counts them.
  package var first: UInt64
  /// The number that follows: that of the next hint to come.
  package var next: UInt64

  package init(hints: [Hint] = [], overflowed: Bool = false, first: UInt64 = 0) {
    self.hints = hints
    lossIndex = overflowed ? 0 : nil
    self.first = first
    next = first + UInt64(hints.count)
  }

  /// Whether hints were lost: only a rescan of the whole tree tells what happened.
  package var overflowed: Bool { lossIndex != nil }

  /// Hints were lost after those that are here, and perhaps more of them among those that follow.
  package mutating func noteLoss() {
    lossIndex = lossIndex ?? hints.count
  }

  /// Numbers the hints, the first with `number`.
  mutating func number(from number: UInt64) {
    first = number
    next = number + UInt64(hints.count)
  }

  /// Takes in the batch that follows.
  package mutating func append(_ other: HintBatch) {
    if let index = other.lossIndex { lossIndex = lossIndex ?? hints.count + index }
    hints += other.hints
    next = other.next
  }

  package var isEmpty: Bool { hints.isEmpty && !overflowed }
}

extension HintBatch {
  /// Merges a hint with the last one, if it says nothing new.
  ///
  /// Writes and closes of one file that follow each other are one hint: the probe sees the end of them anyway. The name
  /// is compared as it stands in the kernel's buffer, so that the thousand writes of a copy do not make a thousand
  /// names.
  mutating func extendLast(
    _ directory: MarkID, _ kinds: HintKinds, _ traits: HintTraits, _ name: UnsafeBufferPointer<UInt8>,
    _ file: HintedFile?
  ) -> Bool {
    guard let index = hints.indices.last, kinds.isSubset(of: [.written, .closed, .attributes]) else { return false }
    let last = hints[index]
    guard directory == last.directory, last.kinds.isSubset(of: [.created, .written, .closed, .attributes]),
      traits == last.traits, file == last.file, let lastName = last.name,
      unsafe lastName.bytes.elementsEqual(name)
    else { return false }
    hints[index].kinds.formUnion(kinds)
    // A write after a close: the file is open again, and the close says nothing any more.
    if kinds.contains(.written) && !kinds.contains(.closed) { hints[index].kinds.remove(.closed) }
    return true
  }
}
