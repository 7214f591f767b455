internal import FileSystemObservation
internal import Foundation
internal import SystemPackage

/// An entry with what it is made of, for as long as it gets more.
struct ActivityRecord {
  private enum Subject {
    case open(ActivityDigest.Item)
    case closed
  }

  let id: Int
  let isWhileAway: Bool
  private(set) var entry: ActivityFeed.Entry
  /// What its documents have in common with others; `nil` if it gets no more.
  private(set) var key: StoryGroup.Key?
  private var subject: Subject

  /// What happens within so many seconds after the last of an entry belongs to the same entry.
  static let patience: TimeInterval = 10

  init(_ id: Int, _ item: ActivityDigest.Item, _ date: Date, _ isWhileAway: Bool, _ root: FilePath) {
    self.id = id
    self.isWhileAway = isWhileAway
    subject = .open(item)
    key = item.key
    entry = item.entry(id, date, isWhileAway, root)
  }

  /// The document's story, if the entry is of one and gets more.
  var story: DocumentStory? { if case .open(.story(let story)) = subject { story } else { nil } }

  /// The documents, if the entry is of many and gets more.
  var group: StoryGroup? { if case .open(.group(let group)) = subject { group } else { nil } }

  /// The entry gets no more if nothing was added for a while: its documents need not be remembered.
  mutating func closeIfOld(at date: Date) {
    guard key != nil, date.timeIntervalSince(entry.date) > Self.patience else { return }
    subject = .closed
    key = nil
  }

  /// Whether something else belongs to this entry.
  func takes(_ news: ActivityRecord) -> Bool {
    guard isWhileAway == news.isWhileAway, key != nil else { return false }
    if let story = news.story {
      if self.story?.uuid == story.uuid { return true }
      if let group { return group.key == story.key || group.knows(story) }
      return self.story.map { story.isBelow($0) && story.goes(with: $0) } ?? false
    }
    guard let group = news.group else { return false }
    if self.group?.key == group.key { return true }
    return story.map { group.goes(with: $0) } ?? false
  }

  /// Adds something else; whether there is still something to tell.
  mutating func add(_ news: ActivityRecord, at date: Date, _ root: FilePath) -> Bool {
    switch subject {
    case .open(.story(var story)):
      // Without a second reference, its sets grow in place.
      subject = .closed
      story.take(news)
      if story.isEmpty { return false }
      subject = .open(.story(story))
    case .open(.group(var group)):
      subject = .closed
      if let next = news.story { group.add(next) } else if let next = news.group { group.add(next) }
      subject = .open(.group(group))
    case .open(.gap), .closed: return true
    }
    guard case .open(let sum) = subject else { return true }
    key = sum.key
    entry = sum.entry(id, date, isWhileAway, root)
    return true
  }
}

extension DocumentStory {
  /// Adds what happened next to the same document, or what came or went with it.
  fileprivate mutating func take(_ news: ActivityRecord) {
    if let next = news.story {
      if next.uuid == uuid { return add(next) }
      contents.insert(next.uuid)
      contents.formUnion(next.contents)
    } else if let group = news.group {
      contents.formUnion(group.members)
      contents.formUnion(group.contents)
    }
  }
}

extension DocumentStory {
  fileprivate func isBelow(_ folder: DocumentStory) -> Bool {
    folder.isFolder && path.starts(with: folder.path) && path != folder.path
  }
}

extension StoryGroup {
  /// Whether the story is only the end of what is told already: a copy is complete.
  fileprivate func knows(_ story: DocumentStory) -> Bool {
    members.contains(story.uuid) && story.arrival == .copied && story.formerPath == nil && story.departure == nil
  }

  /// Whether the documents came or went because a folder did.
  fileprivate func goes(with folder: DocumentStory) -> Bool {
    guard folder.isFolder, key.folder.starts(with: folder.path) else { return false }
    switch key.deed {
    case .added, .duplicated, .returned: return folder.arrival != nil && folder.departure == nil
    case .deleted(let reason): return folder.departure == .deleted(reason)
    default: return false
    }
  }
}

extension ActivityDigest.Item {
  var key: StoryGroup.Key? {
    switch self {
    case .story(let story): story.key
    case .group(let group): group.key
    case .gap: nil
    }
  }

  fileprivate func entry(
    _ id: Int, _ date: Date, _ isWhileAway: Bool, _ root: FilePath
  ) -> ActivityFeed.Entry {
    let (sentence, uuid, path): (Sentence, UUID?, FilePath?) =
      switch self {
      case .story(let story): (Sentence(story, in: root), story.uuid, story.path)
      case .group(let group): (Sentence(group), nil, group.key.folder)
      case .gap: (Sentence.gap(in: root), nil, root)
      }
    return ActivityFeed.Entry(
      id: id, date: date, uuid: uuid, path: path, iconName: sentence.icon, title: sentence.title,
      detail: sentence.detail, isWhileAway: isWhileAway)
  }
}
