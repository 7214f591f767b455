import LinuxFileSystem

/// Hints in the order in which the source read them.
package struct HintBatch: Sendable {
  package var hints: [Hint]
  /// The number of hints before the first loss; none without a loss.
  package private(set) var lossIndex: Int?
  /// The number of the first hint, counted by the source.
  package var first: UInt64
  /// The number of the first hint after this batch.
  package var next: UInt64

  package init(hints: [Hint] = [], overflowed: Bool = false, first: UInt64 = 0) {
    self.hints = hints
    lossIndex = overflowed ? 0 : nil
    self.first = first
    next = first + UInt64(hints.count)
  }

  /// Whether hints were lost, so that only a rescan of the whole tree finds what happened.
  package var overflowed: Bool { lossIndex != nil }

  /// Records a loss after the present hints.
  ///
  /// Later hints may be incomplete, too.
  package mutating func noteLoss() {
    lossIndex = lossIndex ?? hints.count
  }

  /// Numbers the hints, the first with `number`.
  mutating func number(from number: UInt64) {
    first = number
    next = number + UInt64(hints.count)
  }

  /// Appends the batch that follows.
  package mutating func append(_ other: HintBatch) {
    if let index = other.lossIndex { lossIndex = lossIndex ?? hints.count + index }
    hints += other.hints
    next = other.next
  }

  package var isEmpty: Bool { hints.isEmpty && !overflowed }
}

extension HintBatch {
  /// Merges a hint into the last one, if it adds nothing new; returns whether it did.
  ///
  /// Successive writes and closes of a file become one hint, because the probe sees the result. Comparing the name in
  /// the kernel's buffer avoids an allocation for each write of a copy.
  mutating func extendLast(
    _ directory: MarkID, _ kinds: HintKinds, _ traits: HintTraits, _ name: UnsafeBufferPointer<UInt8>,
    _ file: HintedFile?
  ) -> Bool {
    guard let index = hints.indices.last, kinds.isSubset(of: [.written, .closed, .attributes]) else { return false }
    let last = hints[index]
    guard directory == last.directory, last.kinds.isSubset(of: [.created, .written, .closed, .attributes]),
      traits == last.traits, file == last.file, unsafe last.name?.consists(of: name) == true
    else { return false }
    hints[index].kinds.formUnion(kinds)
    // A write after a close means that the file is open again, so that the close is out of date.
    if kinds.contains(.written) && !kinds.contains(.closed) { hints[index].kinds.remove(.closed) }
    return true
  }
}
