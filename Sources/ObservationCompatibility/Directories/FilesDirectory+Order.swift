internal import FileSystemObservation
internal import Foundation

extension FilesDirectory {
  /// An order of items.
  ///
  /// Items that are equal in it are in the order of their names.
  @nonexhaustive
  public enum Order: String, Sendable, Hashable, Codable, CaseIterable {
    /// By name, as people sort: without regard to case, and numbers by their value.
    case nameAscending
    /// By name in reverse.
    case nameDescending
    /// By creation date; items without one come first.
    case creationDateOldestFirst
    /// By creation date in reverse; items without one come last.
    case creationDateNewestFirst
    /// By modification date.
    case modificationDateOldestFirst
    /// By modification date in reverse.
    case modificationDateNewestFirst
  }
}

extension FilesDirectory.Order {
  /// Whether one item comes before another.
  func areInIncreasingOrder(_ first: FileSystemItem.Snapshot, _ second: FileSystemItem.Snapshot) -> Bool {
    switch self {
    case .nameAscending: return Self.isName(of: first, before: second)
    case .nameDescending: return Self.isName(of: second, before: first)
    case .creationDateOldestFirst: return Self.isBefore(first, second, \.creation)
    case .creationDateNewestFirst: return Self.isAfter(first, second, \.creation)
    case .modificationDateOldestFirst: return Self.isBefore(first, second, \.modificationNanoseconds)
    case .modificationDateNewestFirst: return Self.isAfter(first, second, \.modificationNanoseconds)
    }
  }

  private typealias Item = FileSystemItem.Snapshot

  private static func isBefore(_ first: Item, _ second: Item, _ date: (Item) -> Int64) -> Bool {
    date(first) == date(second) ? isName(of: first, before: second) : date(first) < date(second)
  }

  private static func isAfter(_ first: Item, _ second: Item, _ date: (Item) -> Int64) -> Bool {
    date(first) == date(second) ? isName(of: first, before: second) : date(first) > date(second)
  }

  private static func isName(of first: Item, before second: Item) -> Bool {
    switch first.name.localizedStandardCompare(second.name) {
    case .orderedAscending: true
    case .orderedDescending: false
    case .orderedSame: first.path.string < second.path.string
    }
  }
}

extension FileSystemItem.Snapshot {
  /// The creation date in nanoseconds, or the earliest if there is none.
  fileprivate var creation: Int64 { creationNanoseconds ?? .min }
}
