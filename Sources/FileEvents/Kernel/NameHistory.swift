import LinuxFileSystem

/// Which names files came to and left since the queue was last seen empty, to know what fanotify cannot have told.
///
/// As long as a record waits in the queue, the kernel merges into it whatever is the same: the same names, the same
/// file, the same process (fanotify_merge). So the first time that something happens stands at its place in the order,
/// and every repetition is lost. A file's name can be taken away, or be given to it by a rename, once more only if the
/// file has come back to a name that it had; and that shows, for the way back is itself told where it first happened.
/// From then on nobody knows where the file went: its names, and whatever else comes to one of them, are to be looked
/// at.
///
/// A further link may be made again untold as soon as its name is free again: that name is to be looked at, and nothing
/// else is in doubt.
struct NameHistory: Sendable {
  /// How what was told is to be taken.
  struct Verdict: Equatable, Sendable {
    /// Whether it tells only where to look.
    var isUnordered = false
    /// Whether the name that was left is to be looked at.
    var mustLookAtOrigin = false
  }

  private struct Visit: Sendable {
    var place: NamedPlace
    var hasLeft: Bool
    /// The file's visit before this one; -1 for none.
    var previous: Int
  }

  private struct File: Sendable {
    var lastVisit = -1
    var isAstray = false
  }

  private var files: [FileHandle: File] = [:]
  private var visits: [Visit] = []
  /// By file and place.
  private var indices: [Digest: Int] = [:]
  /// Names that were created, by their keys.
  private var created: Set<Digest> = []
  /// Names that a file which has gone astray may have.
  private var doubtful: Set<Digest> = []
  /// Places to be looked at, because a file has gone astray.
  private var looks: [NamedPlace] = []

  var isEmpty: Bool { visits.isEmpty && doubtful.isEmpty }
  /// How much is remembered.
  var count: Int { visits.count }

  /// The queue is empty: nothing can be merged into what has been read.
  mutating func forget() {
    if isEmpty { return }
    if visits.count > Self.mostKept { return releaseMemory() }
    files.removeAll(keepingCapacity: true)
    visits.removeAll(keepingCapacity: true)
    indices.removeAll(keepingCapacity: true)
    created.removeAll(keepingCapacity: true)
    doubtful.removeAll(keepingCapacity: true)
  }

  /// What the history of a long backlog took is given back: there may never be another.
  private mutating func releaseMemory() {
    let waiting = looks
    self = NameHistory()
    looks = waiting
  }

  /// For how many visits there stays room.
  private static var mostKept: Int { 4_096 }

  /// Takes the places that are to be looked at.
  mutating func takeLooks() -> [NamedPlace] {
    guard !looks.isEmpty else { return [] }
    defer { looks = [] }
    return looks
  }

  /// A file got a name, by creation or by a further link.
  mutating func create(_ file: FileHandle, at place: NamedPlace) -> Verdict {
    let isAstray = enter(file, place)
    created.insert(place.key)
    return Verdict(isUnordered: isAstray)
  }

  /// A name of a file was removed.
  mutating func remove(_ file: FileHandle, from place: NamedPlace) -> Verdict {
    Verdict(isUnordered: leave(file, place), mustLookAtOrigin: created.contains(place.key))
  }

  /// A file was renamed; a place that is not observed is none.
  mutating func rename(_ file: FileHandle, from old: NamedPlace?, to new: NamedPlace?) -> Verdict {
    let leaves = old.map { leave(file, $0) } ?? false
    let enters = new.map { enter(file, $0) } ?? false
    return Verdict(
      isUnordered: leaves || enters, mustLookAtOrigin: old.map { created.contains($0.key) } ?? false)
  }

  private mutating func enter(_ file: FileHandle, _ place: NamedPlace) -> Bool {
    visit(file, place, leaving: false) { _ in true }
  }

  private mutating func leave(_ file: FileHandle, _ place: NamedPlace) -> Bool {
    visit(file, place, leaving: true) { $0.hasLeft }
  }

  /// Whether the file has gone astray.
  private mutating func visit(
    _ file: FileHandle, _ place: NamedPlace, leaving: Bool, isRepeated: (Visit) -> Bool
  ) -> Bool {
    let key = file.combined(with: place.key)
    if let index = indices[key] {
      if isRepeated(visits[index]) { lose(file) }
      visits[index].hasLeft = leaving
    } else {
      indices[key] = visits.count
      visits.append(Visit(place: place, hasLeft: leaving, previous: files[file]?.lastVisit ?? -1))
      files[file, default: File()].lastVisit = visits.count - 1
    }
    if doubtful.contains(place.key) { lose(file) }
    guard files[file]?.isAstray == true else { return false }
    doubtful.insert(place.key)
    return true
  }

  /// From now on nobody knows where a file is, but that it is at one of the places it was told to be.
  private mutating func lose(_ file: FileHandle) {
    guard files[file]?.isAstray != true else { return }
    files[file, default: File()].isAstray = true
    var index = files[file]?.lastVisit ?? -1
    while index >= 0 {
      looks.append(visits[index].place)
      doubtful.insert(visits[index].place.key)
      index = visits[index].previous
    }
  }
}
