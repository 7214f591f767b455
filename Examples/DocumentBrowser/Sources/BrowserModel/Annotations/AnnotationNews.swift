public import FileSystemObservation
internal import Foundation

/// What a set of changes means for annotations.
///
/// It is made on any thread: a set may have a hundred thousand changes.
public struct AnnotationNews: Sendable {
  /// A document that is a copy of another.
  struct Copy: Sendable, Hashable {
    let copy: UUID
    let original: UUID
  }

  /// The copies, in the order of the set.
  private(set) var copies: [Copy] = []
  /// The documents that are gone after the set.
  private(set) var gone: Set<UUID> = []
  /// The documents that are there after the set, and perhaps were not before.
  private(set) var present: Set<UUID> = []

  /// Makes the news of nothing.
  public init() {}

  /// Makes the news of one set of changes.
  public init(_ changes: FileSystemChanges) {
    for change in changes { add(change) }
  }

  var isEmpty: Bool { copies.isEmpty && gone.isEmpty && present.isEmpty }

  private mutating func add(_ change: FileSystemChange) {
    switch change.event {
    case .duplicated(let original):
      copies.append(Copy(copy: change.uuid, original: original.uuid))
      arrive(change.uuid)
    case .discovered: arrive(change.uuid)
    case .deleted:
      gone.insert(change.uuid)
      present.remove(change.uuid)
    default: break
    }
  }

  private mutating func arrive(_ uuid: UUID) {
    gone.remove(uuid)
    present.insert(uuid)
  }

  /// Adds the news of the next set.
  mutating func add(_ next: AnnotationNews) {
    // The set of a first scan may have a hundred thousand documents.
    if isEmpty { return self = next }
    copies += next.copies
    present.subtract(next.gone)
    gone.subtract(next.present)
    present.formUnion(next.present)
    gone.formUnion(next.gone)
  }
}
