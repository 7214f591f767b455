public import FileSystemObservation
internal import Foundation
internal import SystemPackage

/// What a set of changes has to tell, in a few stories.
///
/// It is made on any thread: a set may have a hundred thousand changes.
public struct ActivityDigest: Sendable {
  /// Something to tell.
  enum Item: Sendable, Hashable {
    case story(DocumentStory)
    case group(StoryGroup)
    /// What happened before is not known.
    case gap
  }

  /// In the order in which it happened.
  let items: [Item]
  /// Whether it happened while the app was not running.
  let isWhileAway: Bool

  /// More documents alike than this are told as one group.
  static let groupLimit = 4

  private init(_ items: [Item], isWhileAway: Bool) {
    self.items = items
    self.isWhileAway = isWhileAway
  }

  /// The digest of a set; of a first scan, nothing.
  public init(_ changes: FileSystemChanges, isWhileAway: Bool = false) {
    let items = changes.isFirstScan ? [] : Self.items(StoryBook(changes).stories)
    self.init(items, isWhileAway: isWhileAway)
  }

  /// The digest of what tells a person nothing.
  static let nothing = ActivityDigest([], isWhileAway: false)

  /// What is told where the changes since the app has run are not known.
  static let gap = ActivityDigest([.gap], isWhileAway: true)

  /// Puts what happened to many documents alike into groups.
  private static func items(_ stories: [DocumentStory]) -> [Item] {
    var groups: [StoryGroup.Key: [Int]] = [:]
    for (index, story) in stories.enumerated() { groups[story.key, default: []].append(index) }
    var items: [Item?] = stories.map { .story($0) }
    for (key, indices) in groups where indices.count > groupLimit {
      for index in indices.dropFirst() { items[index] = nil }
      items[indices[0]] = .group(StoryGroup(key, indices.map { stories[$0] }))
    }
    return items.compactMap(\.self)
  }
}

/// The stories of a set, one for each document, without those that came or went with a folder.
private struct StoryBook {
  private var order: [UUID] = []
  private var byID: [UUID: DocumentStory] = [:]

  init(_ changes: FileSystemChanges) {
    for change in changes {
      guard let story = DocumentStory(change) else { continue }
      if byID[story.uuid]?.add(story) == nil {
        byID[story.uuid] = story
        order.append(story.uuid)
      }
    }
  }

  var stories: [DocumentStory] {
    var tops = byID
    for uuid in order {
      guard let story = byID[uuid], let top = topFolder(of: story) else { continue }
      tops[uuid] = nil
      tops[top]?.contents.insert(uuid)
    }
    return order.compactMap { tops[$0] }.filter { !$0.isEmpty }
  }

  /// The highest folder that the document came or went with.
  private func topFolder(of story: DocumentStory) -> UUID? {
    var top: UUID?
    var story = story
    while let parent = story.parent, let folder = byID[parent], story.goes(with: folder) {
      top = parent
      story = folder
    }
    return top
  }
}

extension DocumentStory {
  /// Whether this came or went because its folder did.
  func goes(with folder: DocumentStory) -> Bool {
    guard folder.isFolder, formerPath == nil else { return false }
    if let departure { return departure == folder.departure && arrival == nil }
    switch (arrival, folder.arrival) {
    case (nil, _), (_, nil), (.furtherName, _): return false
    default: return folder.departure == nil
    }
  }
}
