import FileIdentity

// The items that ended in earlier runs, to recognize those that come back.

extension StoredJournal {
  /// How many bytes of sets are read at most.
  private static let longestReading = 8 << 20

  /// The identities that ended last, with the inodes with which they did, the oldest first.
  ///
  /// - Parameter device: The device of these inodes.
  func endedIdentities(on device: UInt64) throws -> [(uuid: UUIDBits, key: FileKey)] {
    var ended: [(uuid: UUIDBits, key: FileKey)] = []
    var bytes = 0
    try reading.forEachSetBackwards { set in
      bytes += set.bytes.count
      if case .changes(let log) = try StoredChanges(bytes: set.bytes) {
        for record in log.records.reversed() where record.kind == .deleted {
          guard var key = record.key else { continue }
          key.device = device
          ended.append((record.uuid, key))
        }
      }
      return bytes < Self.longestReading && ended.count < EndedIdentities.limit
    }
    return ended.reversed()
  }
}
