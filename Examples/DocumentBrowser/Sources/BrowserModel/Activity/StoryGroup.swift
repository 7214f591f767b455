internal import FileSystemObservation
internal import Foundation
internal import SystemPackage

/// What happened to many documents alike.
struct StoryGroup: Sendable, Hashable {
  /// What happened.
  enum Deed: Sendable, Hashable {
    case added, duplicated, returned, named, renamed, moved, saved, nameRemoved
    case deleted(DeletionReason)
  }

  /// What the documents of a group have in common.
  struct Key: Sendable, Hashable {
    let deed: Deed
    /// The folder that they are in, or went from.
    let folder: FilePath
    /// Whether another program did it; `nil` if nobody knows.
    let isByOther: Bool?
  }

  let key: Key
  /// The documents; those that came or went with a folder are not among them.
  var members: Set<UUID> = []
  /// How many of the documents are folders.
  var folderCount = 0
  /// The items that came or went with these folders.
  var contents: Set<UUID> = []
}

extension StoryGroup {
  init(_ key: Key, _ stories: some Sequence<DocumentStory>) {
    self.key = key
    for story in stories { add(story) }
  }

  mutating func add(_ story: DocumentStory) {
    guard members.insert(story.uuid).inserted else { return }
    if story.isFolder { folderCount += 1 }
    contents.formUnion(story.contents)
  }

  mutating func add(_ other: StoryGroup) {
    // A document that is in both was counted before.
    let shared = members.intersection(other.members).count
    members.formUnion(other.members)
    folderCount += max(0, other.folderCount - shared)
    contents.formUnion(other.contents)
  }
}

extension DocumentStory {
  /// The group that this belongs to, if there are many like it.
  var key: StoryGroup.Key {
    StoryGroup.Key(deed: deed, folder: path.removingLastComponent(), isByOther: isByOther)
  }

  private var deed: StoryGroup.Deed {
    switch departure {
    case .deleted(let reason)?: return .deleted(reason)
    case .nameRemoved?: return .nameRemoved
    case nil: break
    }
    switch arrival {
    case .added?, .copying?, .copied?: return .added
    case .duplicate?: return .duplicated
    case .returned?: return .returned
    case .furtherName?: return .named
    case nil: break
    }
    guard let formerPath else { return .saved }
    return formerPath.removingLastComponent() == path.removingLastComponent() ? .renamed : .moved
  }

  private var isByOther: Bool? {
    let all = makers.union(movers).union(savers)
    return all == [.thisProcess] ? false : all.contains(.other) ? true : nil
  }
}
