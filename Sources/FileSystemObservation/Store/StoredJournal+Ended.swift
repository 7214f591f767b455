import FileIdentity
import LinuxFileSystem

// The items that ended in earlier runs, to recognize those that come back.

extension StoredJournal {
  /// How many bytes of sets are read at most.
  private static let longestReading = 8 << 20

  /// The items that ended last, with the inodes with which they did, the oldest first.
  ///
  /// - Parameter device: The device of these inodes.
  func endedItems(on device: UInt64) throws -> [EndedItem] {
    var ended: [EndedItem] = []
    var returned: Set<UUIDBits> = []
    var bytes = 0
    try reading.forEachSetBackwards { set in
      bytes += set.bytes.count
      if case .changes(let log) = try StoredChanges(bytes: set.bytes) {
        ended += log.endedItems(on: device, except: returned)
        returned.formUnion(log.records.lazy.filter { $0.kind == .discovered && $0.isReturned }.map(\.uuid))
      }
      return bytes < Self.longestReading && ended.count < EndedIdentities.limit
    }
    return ended.reversed()
  }
}

extension ChangeLog {
  /// The items that end in a set, the last first.
  ///
  /// - Parameter returned: The folders that have come back since, so that nothing in them is absent.
  fileprivate func endedItems(on device: UInt64, except returned: Set<UUIDBits>) -> [EndedItem] {
    let folders = foldersOnUnmounted()
    return records.reversed().compactMap { record in
      guard record.kind == .deleted, var key = record.key else { return nil }
      key.device = device
      return EndedItem(
        uuid: record.uuid, key: key, absence: absence(of: record, in: folders, except: returned),
        former: former(of: record))
    }
  }

  /// What a removed file was.
  private func former(of record: ChangeRecord) -> EndedItem.Former? {
    guard record.reason == .removed, record.itemKind == .file, record.facts.size > 0 else { return nil }
    return EndedItem.Former(
      path: Array(paths[record.path]), size: record.facts.size, modified: record.facts.modified,
      digest: removedContents[record.uuid])
  }

  /// The folders on file systems that were unmounted, by their paths.
  private func foldersOnUnmounted() -> [ArraySlice<UInt8>: UUIDBits] {
    var folders: [ArraySlice<UInt8>: UUIDBits] = [:]
    for record in records where record.reason == .unmounted && record.itemKind == .directory {
      folders[paths[record.path]] = record.uuid
    }
    return folders
  }

  private func absence(
    of record: ChangeRecord, in folders: [ArraySlice<UInt8>: UUIDBits], except returned: Set<UUIDBits>
  ) -> EndedItem.Absence? {
    guard record.reason == .unmounted, record.itemKind == .file,
      let slash = paths[record.path].lastIndex(of: UInt8(ascii: "/")),
      let folder = folders[paths[record.path.lowerBound..<slash]], !returned.contains(folder)
    else { return nil }
    return EndedItem.Absence(folder: folder, name: FileName(bytes: paths[slash + 1..<record.path.upperBound]))
  }
}
