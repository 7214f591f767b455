/// The fewest insertions and deletions that lead from one ordered list to another, as the rows of a table need them.
///
/// ```swift
/// let difference = OrderedListDifference(from: ["a", "b"], to: ["b", "c"])
/// // difference.deletions == [0], in the old list; difference.insertions == [1], in the new list
/// ```
public struct OrderedListDifference: Sendable, Hashable {
  /// The positions of the deleted elements in the old list, in ascending order.
  public let deletions: [Int]
  /// The positions of the inserted elements in the new list, in ascending order.
  public let insertions: [Int]

  /// Compares two ordered lists in one pass.
  ///
  /// - Parameters:
  ///   - old: The old list, in ascending order and without equal elements.
  ///   - new: The new list, in the same order and without equal elements.
  /// - Complexity: O(*n* + *m*) for *n* old and *m* new elements.
  public init<Element: Comparable>(from old: [Element], to new: [Element]) {
    var (deletions, insertions): ([Int], [Int]) = ([], [])
    var (oldIndex, newIndex) = (0, 0)
    while oldIndex < old.count || newIndex < new.count {
      let isDeleted = oldIndex < old.count && (newIndex == new.count || old[oldIndex] < new[newIndex])
      let isInserted = newIndex < new.count && (oldIndex == old.count || new[newIndex] < old[oldIndex])
      if isDeleted { deletions.append(oldIndex) }
      if isInserted { insertions.append(newIndex) }
      if !isInserted { oldIndex += 1 }
      if !isDeleted { newIndex += 1 }
    }
    self.deletions = deletions
    self.insertions = insertions
  }

  /// Whether the lists are equal.
  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty }
}
