import FileIdentity
import LinuxFileSystem

/// A bounded memory of ended identities, to recognize those that come back; the oldest is forgotten first.
struct EndedIdentities: Sendable {
  static let limit = 65_536
  private var keys: [UUIDBits: FileKey] = [:]
  private var order: [UUIDBits] = []
  private var oldest = 0

  mutating func insert(_ uuid: UUIDBits, _ key: FileKey) {
    guard keys.updateValue(key, forKey: uuid) == nil else { return }
    if order.count < Self.limit {
      order.append(uuid)
      return
    }
    keys[order[oldest]] = nil
    order[oldest] = uuid
    oldest = (oldest + 1) % Self.limit
  }

  /// All identities with the inodes with which they ended, the oldest first.
  var all: [(uuid: UUIDBits, key: FileKey)] {
    (order[oldest...] + order[..<oldest]).compactMap { uuid in keys[uuid].map { (uuid, $0) } }
  }

  func contains(_ uuid: UUIDBits) -> Bool { keys[uuid] != nil }

  /// The inode with which an identity ended.
  func key(of uuid: UUIDBits) -> FileKey? { keys[uuid] }

  /// Whether an identity ended with this inode.
  func contains(_ uuid: UUIDBits, on key: FileKey) -> Bool { keys[uuid] == key }

  /// Whether an identity ended with another inode.
  func contains(_ uuid: UUIDBits, onOtherThan key: FileKey) -> Bool { keys[uuid].map { $0 != key } ?? false }
}
