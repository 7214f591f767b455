import FileEvents

/// The number of delivered hints when each directory was listed; earlier hints are older than the listing.
struct ListingMarks {
  private var directories: [MarkID: UInt64] = [:]
  private var newest: UInt64 = 0

  mutating func insert(_ directory: MarkID, at delivered: UInt64) {
    directories[directory] = delivered
    newest = max(newest, delivered)
  }

  func isEarlier(_ number: UInt64, _ directory: MarkID) -> Bool {
    directories[directory].map { number < $0 } ?? false
  }

  /// Forgets all listings once the hints before the newest of them have been handled.
  mutating func forget(before number: UInt64) {
    if number >= newest, !directories.isEmpty { directories.removeAll(keepingCapacity: true) }
  }
}
