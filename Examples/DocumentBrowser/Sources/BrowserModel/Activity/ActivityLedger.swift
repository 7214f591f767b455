internal import FileSystemObservation
internal import Foundation
internal import SystemPackage

/// The entries of a feed, and which of them still get more.
struct ActivityLedger {
  var root: FilePath
  private let limit: Int
  /// The oldest first.
  private var records: [ActivityRecord] = []
  private var nextID = 0

  init(root: FilePath, limit: Int) {
    self.root = root
    self.limit = limit
  }

  /// The entries, the newest first.
  var entries: [ActivityFeed.Entry] { records.reversed().map(\.entry) }

  mutating func removeAll() { records = [] }

  mutating func take(_ digest: ActivityDigest, at date: Date) {
    closeRecords(at: date)
    for item in digest.items.suffix(limit) { take(item, digest.isWhileAway, at: date) }
    if records.count > limit { records.removeFirst(records.count - limit) }
  }

  private mutating func take(_ item: ActivityDigest.Item, _ isWhileAway: Bool, at date: Date) {
    let news = ActivityRecord(nextID, item, date, isWhileAway, root)
    guard let index = records.lastIndex(where: { $0.takes(news) }) else {
      nextID += 1
      records.append(news)
      return gather(news.key, isWhileAway, at: date)
    }
    var record = records.remove(at: index)
    if record.add(news, at: date, root) { records.append(record) }
  }

  /// Makes one entry of what happened to many documents alike, whether it was told one by one or of many at once.
  private mutating func gather(_ key: StoryGroup.Key?, _ isWhileAway: Bool, at date: Date) {
    guard let key else { return }
    let alike = records.filter { $0.key == key && $0.isWhileAway == isWhileAway }
    let singles = alike.compactMap(\.story)
    guard singles.count > ActivityDigest.groupLimit || singles.count < alike.count, alike.count > 1 else { return }
    var group = StoryGroup(key, singles)
    for record in alike { record.group.map { group.add($0) } }
    records.removeAll { record in alike.contains { $0.id == record.id } }
    records.append(ActivityRecord(alike[0].id, .group(group), date, isWhileAway, root))
  }

  private mutating func closeRecords(at date: Date) {
    for index in records.indices { records[index].closeIfOld(at: date) }
  }
}
