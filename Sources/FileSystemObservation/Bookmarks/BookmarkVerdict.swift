import FileIdentity
import LinuxFileSystem
import SystemPackage

/// Decides which of the files that were found is the file of a bookmark; without system calls.
///
/// | The file … | is |
/// | --- | --- |
/// | is the recorded inode | the one, also without its tag or with another |
/// | is that, elsewhere, with a tag that was minted for it | nothing tells: an observer took it for another |
/// | took the place of that inode, which is beside it under the name of a backup | the one, instead of the backup |
/// | bears the tag, while the recorded inode has been given another | the one |
/// | bears the tag, and is the only one, or the oldest at the last place | the one |
/// | bears the tag, which was minted for its own inode | not the one: it was there before |
/// | bears the tag, and is older than the recorded inode, or one of several | nothing tells |
/// | bears the tag, while a younger file without it stands at the last place | nothing tells: that may be a save |
/// | stands at the last place without a tag, and the recorded inode is gone | the one: it was saved |
struct BookmarkVerdict {
  struct Candidate: Equatable {
    var look: FileLook
    /// Whether it is the inode that the bookmark has recorded.
    var isInode = false
    /// Whether it is the inode that a tree has recorded for the file since.
    var isTreeInode = false
    /// Whether a tree has it there.
    var isJournaled = false
    /// Whether a running observer has this inode for the file.
    var isObserved = false
    /// Whether a running observer has the file there, whichever inode it is.
    var isObservedPlace = false

    /// Whether the bookmark or a tree has recorded the inode.
    var isRecorded: Bool { isInode || isTreeInode }
  }

  enum Outcome: Equatable {
    case file(Candidate, Set<FileBookmark.Evidence>)
    case ambiguous([FilePath])
    case none
  }

  /// What is known of the recorded inode besides the candidates.
  enum Fate: Equatable {
    case unknown, gone, exists
  }

  let bookmark: FileBookmark
  /// Where the file was last: by the bookmark, or by a tree that knows better.
  let lastPlace: FilePath
  private let candidates: [Candidate]
  private let uuid: UUIDBits
  var fate = Fate.unknown
  /// Whether the folder of the last place was searched with everything else, and nothing was left out.
  var isLastPlaceSearched = false
  /// Whether a tree has another item at the last place.
  var hasOtherAtLastPlace = false

  init(_ bookmark: FileBookmark, lastPlace: FilePath? = nil, _ candidates: [Candidate]) {
    self.bookmark = bookmark
    self.lastPlace = lastPlace ?? bookmark.lastKnownPath
    let uuid = UUIDBits(bookmark.uuid)
    self.uuid = uuid
    self.candidates = candidates.filter {
      $0.look.kind != .special && FileSystemItem.Kind($0.look.kind) == bookmark.kind
    }
  }

  /// The file, if no search can find a better one.
  var certain: Outcome? {
    if let observed = best(candidates.filter { $0.isObserved && mayBear($0) }) { return file(observed) }
    guard let same = recordedInode, mayBear(same) else { return observedPlace.map(file) }
    return replacement(besideBackup: same).map(file) ?? file(same)
  }

  /// The same, unless a search may find a better name of the file.
  var settled: Outcome? {
    guard case .file(let candidate, _) = certain else { return nil }
    let hasOtherNames = candidate.look.kind != .directory && candidate.look.status.linkCount > 1
    return hasOtherNames && !isAtLastPlace(candidate) ? nil : certain
  }

  func decide() -> Outcome {
    if let certain { return certain }
    let bearers = bearers
    if let same = recordedInode, bookmark.identity == .inode || bearers.isEmpty {
      return isDisowned(same) ? .ambiguous(paths([same])) : file(same)
    }
    if !bearers.isEmpty { return original(among: bearers) }
    return saved.map(file) ?? .none
  }

  private func file(_ candidate: Candidate) -> Outcome { .file(candidate, evidence(for: candidate)) }
}

// MARK: - Rules

extension BookmarkVerdict {
  /// The recorded inode; of two, the one that bears the tag, and else the younger: identities go from old to new.
  private var recordedInode: Candidate? {
    let same = candidates.filter(\.isRecorded)
    let bearers = same.filter { $0.look.tag.uuid == uuid }
    let untagged = same.filter { $0.look.tag.uuid == nil }
    let chosen = !bearers.isEmpty ? bearers : !untagged.isEmpty ? untagged : same
    let youngest = chosen.max { $0.look.key.isBorn(before: $1.look.key) }
    return youngest.flatMap { youngest in best(chosen.filter { $0.look.key == youngest.look.key }) }
  }

  /// Whether an observer has given an inode an identity of its own, as it does with the backup of a document.
  ///
  /// It also does so where a tag was removed; but then the file is mostly where it was.
  private func isDisowned(_ candidate: Candidate) -> Bool {
    bookmark.identity == .tag && candidate.look.bearsOwnTag && !mayBear(candidate) && !isAtLastPlace(candidate)
  }

  /// What stands where a running observer has the file.
  private var observedPlace: Candidate? { candidates.first { $0.isObservedPlace && mayBear($0) } }

  /// Whether a file has no tag but that of the bookmark.
  private func mayBear(_ candidate: Candidate) -> Bool { candidate.look.tag.uuid.map { $0 == uuid } ?? true }

  /// Files with the tag that may be the one.
  private var bearers: [Candidate] {
    // While the recorded inode exists somewhere else, they are copies.
    if fate == .exists, recordedInode == nil { return [] }
    return candidates.filter { candidate in
      candidate.look.tag.uuid == uuid && !candidate.isRecorded && (!candidate.look.bearsOwnTag || candidate.isJournaled)
    }
  }

  private func original(among bearers: [Candidate]) -> Outcome {
    if let journaled = best(bearers.filter(\.isJournaled)) { return file(journaled) }
    let eldest = bearers.reduce(bearers[0]) { $1.look.key.isBorn(before: $0.look.key) ? $1 : $0 }
    let names = bearers.filter { $0.look.key == eldest.look.key }
    if names.contains(where: isAtLastPlace), !bookmark.traits.isYounger(than: eldest.look) {
      return best(names).map(file) ?? .none
    }
    let isOne = names.count == bearers.count
    if isOne, let saved = replacement(besideBackup: eldest) { return file(saved) }
    // A copy of the file before it was saved is older than what the save has left.
    let rivals = newcomer.map { [$0] }?.filter { eldest.look.key.isBorn(before: $0.look.key) } ?? []
    guard isOne, rivals.isEmpty, !bookmark.traits.isYounger(than: eldest.look) else {
      return .ambiguous(paths(bearers + rivals))
    }
    return best(names).map(file) ?? .none
  }

  /// The file at the last place, if it was saved there by a new file without the tag.
  private var saved: Candidate? { fate == .gone || fate == .unknown && isLastPlaceSearched ? newcomer : nil }

  /// The file at the last place, if it may have been saved there.
  private var newcomer: Candidate? {
    guard bookmark.kind == .file, !hasOtherAtLastPlace else { return nil }
    return candidates.first {
      isAtLastPlace($0) && !$0.isRecorded && !$0.look.mayHideTag && $0.look.tag.uuid == nil
        && !bookmark.traits.isYounger(than: $0.look)
    }
  }

  /// The file at the last place, if another file is its backup.
  private func replacement(besideBackup backup: Candidate) -> Candidate? {
    let path = backup.look.path
    guard bookmark.kind == .file, !hasOtherAtLastPlace, !isAtLastPlace(backup),
      path.removingLastComponent() == lastPlace.removingLastComponent(),
      let name = path.lastComponent, let document = lastPlace.lastComponent,
      NameRules().isBackup(FileName(name), of: FileName(document))
    else { return nil }
    // What was saved is younger than its backup.
    return candidates.first {
      isAtLastPlace($0) && !$0.isRecorded && !$0.look.mayHideTag && mayBear($0)
        && !bookmark.traits.isYounger(than: $0.look)
    }
  }

  private func isAtLastPlace(_ candidate: Candidate) -> Bool { candidate.look.path == lastPlace }
}

// MARK: - Names

extension BookmarkVerdict {
  /// The best name of a file that has several.
  private func best(_ names: [Candidate]) -> Candidate? {
    names.min { (rank($0), $0.look.path.bytes) < (rank($1), $1.look.path.bytes) }
  }

  /// 0 for the last place, more for names that have less in common with it.
  private func rank(_ candidate: Candidate) -> Int {
    let path = candidate.look.path
    if path == lastPlace { return 0 }
    if path == bookmark.lastKnownPath { return 1 }
    if path.lastComponent == lastPlace.lastComponent { return 2 }
    return path.removingLastComponent() == lastPlace.removingLastComponent() ? 3 : 4
  }

  /// One path of each file, the oldest file first.
  private func paths(_ candidates: [Candidate]) -> [FilePath] {
    let files = Dictionary(grouping: candidates, by: \.look.key)
    return files.keys.sorted { $0.isBorn(before: $1) }.compactMap { files[$0].flatMap(best)?.look.path }
  }

  private func evidence(for candidate: Candidate) -> Set<FileBookmark.Evidence> {
    var evidence: Set<FileBookmark.Evidence> = []
    if candidate.look.tag.uuid == uuid { evidence.insert(.tag) }
    if candidate.isInode { evidence.insert(.inode) }
    if bookmark.traits.hasHandle(of: candidate.look) { evidence.insert(.handle) }
    if candidate.isJournaled { evidence.insert(.journal) }
    if candidate.look.path == bookmark.lastKnownPath { evidence.insert(.place) }
    let originals = candidates.filter { $0.isRecorded || $0.look.tag.uuid == uuid }
    if !candidate.isRecorded, originals.contains(where: { replacement(besideBackup: $0) == candidate }) {
      evidence.insert(.backup)
    }
    return evidence
  }
}

private func < (one: (Int, [UInt8]), other: (Int, [UInt8])) -> Bool {
  one.0 != other.0 ? one.0 < other.0 : one.1.lexicographicallyPrecedes(other.1)
}
