import LinuxFileSystem

/// The names that files entered and left since the queue was last empty: a record of what fanotify may have left out.
///
/// While a record waits in the queue, the kernel merges equal ones into it: same names, same file, same process
/// (fanotify_merge). The first occurrence has its place in the order, and repetitions are lost.
///
/// The kernel drops only repetitions. A second removal of the same name implies that the file returned to it, and that
/// return was reported the first time, so a repetition is detectable. From then on the file is ambiguous: its names
/// must be looked at, and those of every file that enters one of them.
///
/// A hard link may be created again without a report as soon as its name is free. That name must be looked at, but no
/// other.
struct NameHistory: Sendable {
  /// How far a report can be trusted.
  struct Verdict: Equatable, Sendable {
    /// Whether the report only says where to look.
    var isUnordered = false
    /// Whether the old name must be looked at.
    var mustLookAtOrigin = false
  }

  private struct Visit: Sendable {
    var place: NamedPlace
    var hasLeft: Bool
    /// The file's previous visit; -1 for none.
    var previous: Int
  }

  private struct File: Sendable {
    var lastVisit = -1
    var isAmbiguous = false
  }

  private var files: [FileHandle: File] = [:]
  private var visits: [Visit] = []
  /// Indices in `visits`, by file and place.
  private var indices: [Digest: Int] = [:]
  /// The keys of created names.
  private var created: Set<Digest> = []
  /// The keys of names that an ambiguous file may have.
  private var ambiguousPlaces: Set<Digest> = []
  /// Places to look at because of ambiguous files.
  private var looks: [NamedPlace] = []

  var isEmpty: Bool { visits.isEmpty && ambiguousPlaces.isEmpty }
  /// The number of remembered visits.
  var count: Int { visits.count }

  /// Forgets everything: the queue is empty, and nothing can be merged into what has been read.
  mutating func forget() {
    if isEmpty { return }
    if visits.count > Self.mostKept { return releaseMemory() }
    files.removeAll(keepingCapacity: true)
    visits.removeAll(keepingCapacity: true)
    indices.removeAll(keepingCapacity: true)
    created.removeAll(keepingCapacity: true)
    ambiguousPlaces.removeAll(keepingCapacity: true)
  }

  /// Releases the memory of a long backlog, which may be the only one.
  private mutating func releaseMemory() {
    let waiting = looks
    self = NameHistory()
    looks = waiting
  }

  /// The number of visits for which memory is kept.
  private static var mostKept: Int { 4_096 }

  /// Takes the places to look at.
  mutating func takeLooks() -> [NamedPlace] {
    guard !looks.isEmpty else { return [] }
    defer { looks = [] }
    return looks
  }

  /// Records a new name of a file, by creation or as a further link.
  mutating func create(_ file: FileHandle, at place: NamedPlace) -> Verdict {
    let isAmbiguous = enter(file, place)
    created.insert(place.key)
    return Verdict(isUnordered: isAmbiguous)
  }

  /// Records the removal of a name.
  mutating func remove(_ file: FileHandle, from place: NamedPlace) -> Verdict {
    Verdict(isUnordered: leave(file, place), mustLookAtOrigin: created.contains(place.key))
  }

  /// Records a rename; an unobserved place is nil.
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

  /// Records a visit; returns whether the file is ambiguous.
  private mutating func visit(
    _ file: FileHandle, _ place: NamedPlace, leaving: Bool, isRepeated: (Visit) -> Bool
  ) -> Bool {
    let key = file.combined(with: place.key)
    if let index = indices[key] {
      if isRepeated(visits[index]) { markAmbiguous(file) }
      visits[index].hasLeft = leaving
    } else {
      indices[key] = visits.count
      visits.append(Visit(place: place, hasLeft: leaving, previous: files[file]?.lastVisit ?? -1))
      files[file, default: File()].lastVisit = visits.count - 1
    }
    if ambiguousPlaces.contains(place.key) { markAmbiguous(file) }
    guard files[file]?.isAmbiguous == true else { return false }
    ambiguousPlaces.insert(place.key)
    return true
  }

  /// Marks a file as ambiguous: it may be at any place it was reported at.
  private mutating func markAmbiguous(_ file: FileHandle) {
    guard files[file]?.isAmbiguous != true else { return }
    files[file, default: File()].isAmbiguous = true
    var index = files[file]?.lastVisit ?? -1
    while index >= 0 {
      looks.append(visits[index].place)
      ambiguousPlaces.insert(visits[index].place.key)
      index = visits[index].previous
    }
  }
}
