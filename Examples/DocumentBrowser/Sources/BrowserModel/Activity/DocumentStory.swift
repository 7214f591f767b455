internal import FileSystemObservation
internal import Foundation
internal import SystemPackage

/// What happened to one document within a while, as one sum: what it was before, what it is after, and by whom.
struct DocumentStory: Sendable, Hashable {
  /// How a document came.
  enum Arrival: Sendable, Hashable {
    /// It is new.
    case added
    /// It is new, and is still being written.
    case copying
    /// It is new, took a while to write, and is complete.
    case copied
    /// It is a copy of a document that stands at a path.
    case duplicate(of: FilePath)
    /// It was gone, and is back.
    case returned
    /// It is a further name of a document.
    case furtherName
  }

  /// How a document went.
  enum Departure: Sendable, Hashable {
    case deleted(DeletionReason)
    /// One of its names was removed; it has others.
    case nameRemoved
  }

  let uuid: UUID
  let isFolder: Bool
  /// The folder that it is in, after the story; of a document that is gone, the one that it was in.
  var parent: UUID?
  /// Where it is after the story; of a document that is gone, where it was.
  var path: FilePath
  /// Where it was before it was renamed or moved.
  var formerPath: FilePath?
  var arrival: Arrival?
  var isSaved = false
  var departure: Departure?
  /// The items that came or went with a folder.
  var contents: Set<UUID> = []
  /// Who renamed or moved it, who saved it, who made or deleted it.
  var movers: Set<FileSystemChange.Origin> = []
  var savers: Set<FileSystemChange.Origin> = []
  var makers: Set<FileSystemChange.Origin> = []
}

extension DocumentStory {
  /// The story of one change; `nil` if it tells a person nothing.
  init?(_ change: FileSystemChange) {
    self.init(
      uuid: change.uuid, isFolder: change.item.kind == .directory, parent: change.item.parent, path: change.path)
    switch change.event {
    case .discovered(let isCopying, let isReturned):
      arrival = isReturned ? .returned : isCopying ? .copying : .added
      makers = [change.origin]
    case .copyFinished:
      arrival = .copied
      makers = [change.origin]
    case .duplicated(let original):
      arrival = .duplicate(of: original.path)
      makers = [change.origin]
    case .linked:
      arrival = .furtherName
      makers = [change.origin]
    case .modified:
      isSaved = true
      savers = [change.origin]
    case .renamed(let former), .moved(let former):
      formerPath = former
      movers = [change.origin]
    case .deleted(let reason):
      departure = .deleted(reason)
      makers = [change.origin]
    case .unlinked:
      departure = .nameRemoved
      makers = [change.origin]
    default: return nil
    }
  }

  /// Adds what happened next to the same document.
  mutating func add(_ next: DocumentStory) {
    path = next.path
    parent = next.parent
    formerPath = formerPath ?? next.formerPath
    if formerPath == path { formerPath = nil }
    isSaved = isSaved || next.isSaved
    contents.formUnion(next.contents)
    movers.formUnion(next.movers)
    savers.formUnion(next.savers)
    addEnds(next)
  }

  private mutating func addEnds(_ next: DocumentStory) {
    switch (arrival, next.arrival) {
    case (_, nil): break
    // What was announced as complete at once took no while.
    case (nil, .copied?) where departure == nil, (.copying?, .copied?): arrival = .copied
    case (.some, .copied?): break
    case (_, let next?):
      arrival = departure == nil ? next : .returned
      departure = nil
      makers = []
    }
    if let end = next.departure { departure = end }
    if next.departure != nil { makers = [] }
    makers.formUnion(next.makers)
  }

  /// Whether nothing is left to tell: it was renamed and renamed back.
  var isEmpty: Bool { arrival == nil && departure == nil && !isSaved && formerPath == nil }
}
