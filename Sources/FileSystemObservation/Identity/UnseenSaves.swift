import FileIdentity
import LinuxFileSystem

/// A document that was saved while unobserved, and its old inode, which has its tag under the name of a backup.
struct UnseenSave: Equatable, Sendable {
  var document: NodeID
  var backup: NodeID
  /// The identity in the backup's tag.
  var uuid: UUIDBits
  /// The identifier of the backup's file system, for minting.
  var fileSystem: UInt64
}

/// Finds the documents of a directory that were saved while unobserved, by names, times and tags alone.
///
/// The identity belongs to the document's name, and not to the backup. A file without identity is the document in the
/// tag of one of its backups, if the backup is the older inode, and the times show a save. A document with a tag of its
/// own keeps it.
///
/// A user may keep files of their own under such names, and a wrong guess takes the identities of two documents. So a
/// doubtful backup keeps its tag, and the document is new.
struct UnseenSaveFinder {
  /// What is known of a file's identity.
  enum Standing: Equatable {
    /// It has no tag, or one that this scan gave it.
    case new
    /// It had a tag before.
    case tagged(UUIDBits, TagOrigin)
  }

  /// Where a tag comes from.
  enum TagOrigin: Equatable {
    /// Minted for this inode.
    case minted
    /// Minted for this inode as a second UUID: the file was already distinguished from its document.
    case mintedAsCopy
    /// Minted for another inode: copied, or carried by a save.
    case brought
  }

  struct File {
    var id: NodeID
    var name: FileName
    var entry: Entry
    var standing: Standing
  }

  /// The longest time from the renaming of the old inode to the birth of the new one, in nanoseconds.
  private static let longestSave: Int64 = 2_000_000_000

  private struct Backup {
    var file: File
    /// Whether its name is that of a backup, and not just longer than the document's.
    var isNamedSo: Bool
  }

  let rules: NameRules
  /// Whether the directory is a copy: its files may have been copied with it, and not as backups.
  var isCopiedDirectory = false
  /// When a name in the directory changed last; `nil` if that is unknown.
  var modified: Int64?
  var files: [File] = []

  /// The saved documents, each with one backup.
  func saves() -> [UnseenSave] {
    let documents = files.indices.filter { isDocument(files[$0]) }
    if documents.isEmpty { return [] }
    let names = DocumentNames(documents.map { ($0, files[$0].name) })
    lazy var others = DocumentNames(
      files.indices.filter { !rules.isBackup(files[$0].name) }.map { ($0, files[$0].name) })
    var backups: [Int: [Backup]] = [:]
    for file in files where file.entry.key.hasBirthTime {
      for (document, isNamedSo) in candidates(ofBackup: file, in: names, besides: others) {
        backups[document, default: []].append(Backup(file: file, isNamedSo: isNamedSo))
      }
    }
    let found = backups.keys.sorted().compactMap { save(of: files[$0], backups[$0] ?? []) }
    // A file that may be the backup of two documents says nothing about either.
    var counts: [NodeID: Int] = [:]
    for save in found { counts[save.backup, default: 0] += 1 }
    return found.filter { counts[$0.backup] == 1 }
  }

  private func isDocument(_ file: File) -> Bool {
    file.standing == .new && file.entry.key.hasBirthTime && !rules.isPartial(file.name) && !rules.isTransient(file.name)
  }

  /// The documents whose backup a file may be by its name.
  ///
  /// - Parameter others: All files that are not named as backups: `main.bak` may be that of `main.tex` or `main.pdf`. Few
  ///   folders need them.
  private func candidates(
    ofBackup file: File, in documents: DocumentNames, besides others: @autoclosure () -> DocumentNames
  ) -> [(document: Int, isNamedSo: Bool)] {
    var named = rules.documents(ofBackup: file.name, in: documents)
    let ofItsStem = rules.documents(withStemOfBackup: file.name, in: documents)
    if ofItsStem.count == 1, rules.documents(withStemOfBackup: file.name, in: others()).count == 1 {
      named.formUnion(ofItsStem)
    }
    let longer = wasWrittenLast(file.entry) ? [] : rules.documents(continuedBy: file.name, in: documents)
    return named.map { ($0, true) } + longer.subtracting(named).map { ($0, false) }
  }

  /// Goes back from version to version: one without a tag was saved while unobserved, too.
  private func save(of document: File, _ backups: [Backup]) -> UnseenSave? {
    var version = document.entry
    for backup in backups.sorted(by: { $0.file.entry.key.born > $1.file.entry.key.born })
    where backup.file.entry.key.born < version.key.born {
      let (file, wasPutAside) = (backup.file, wasPutAside(backup.file.entry, for: version))
      switch file.standing {
      case .new: if wasPutAside { version = file.entry }
      // Otherwise it has been a document's backup for long.
      case .tagged(let uuid, .minted): if wasPutAside { return UnseenSave(document, file, uuid) }
      case .tagged(let uuid, .brought): if wasPutAside || isCopy(backup) { return UnseenSave(document, file, uuid) }
      case .tagged(_, .mintedAsCopy): break
      }
    }
    return nil
  }

  /// Whether an inode was last changed by something else than a write, and when the next version was made: a backup
  /// gets its name just before the next version is made, or when that is complete.
  private func wasPutAside(_ backup: Entry, for version: Entry) -> Bool {
    let isComplete = version.modified <= backup.changed
    let made = isComplete ? max(version.key.born, version.modified) : version.key.born
    return backup.changed != backup.modified && (modified.map { backup.mayBeRenamed(inDirectoryModified: $0) } ?? true)
      && abs(WallClock.interval(from: backup.changed, to: made)) <= Self.longestSave
      && WallClock.interval(from: version.key.born, to: backup.modified) <= WallClock.granularity
  }

  /// Whether a backup has the time of another inode, and so its content; what was saved with its tag was written itself.
  private func isCopy(_ backup: Backup) -> Bool {
    backup.isNamedSo && !isCopiedDirectory && backup.file.entry.key.isBorn(after: backup.file.entry.modified)
  }

  /// Whether nothing but a write has changed an inode last, and no rename.
  private func wasWrittenLast(_ entry: Entry) -> Bool {
    WallClock.interval(from: entry.modified, to: entry.changed) <= WallClock.granularity
  }
}

extension UnseenSave {
  fileprivate init(_ document: UnseenSaveFinder.File, _ backup: UnseenSaveFinder.File, _ uuid: UUIDBits) {
    self.init(document: document.id, backup: backup.id, uuid: uuid, fileSystem: backup.entry.fileSystem)
  }
}

extension UnseenSaveFinder.Standing {
  /// `nil` if the tag could not be read.
  init?(_ scanned: ScannedEntry) {
    let entry = scanned.entry
    switch entry.tag {
    case .unreadable: return nil
    case .uuid(let tag) where !scanned.wasTagged:
      let isFirst = tag == UUIDBits.minted(for: entry.key, on: entry.fileSystem)
      self = .tagged(tag, isFirst ? .minted : entry.bearsOwnTag ? .mintedAsCopy : .brought)
    default: self = .new
    }
  }
}

// MARK: - The first scan

extension Classifier {
  /// Collects the documents in a directory of the first scan that may have been saved while unobserved.
  func noteUnseenSaves(_ listing: DirectoryListing, in directory: NodeID, _ inventory: inout FirstInventory) {
    guard let fileSystem = listing.entries.first?.entry.fileSystem else { return }
    var finder = UnseenSaveFinder(
      rules: patterns, isCopiedDirectory: isCopiedDirectory(directory, on: fileSystem), modified: listing.modified)
    for scanned in listing.entries where scanned.entry.kind == .file {
      guard let standing = UnseenSaveFinder.Standing(scanned),
        let id = graph.node(named: listing.name(of: scanned), in: directory)
      else { continue }
      let name = FileName(bytes: listing.nameBytes(of: scanned))
      finder.files.append(UnseenSaveFinder.File(id: id, name: name, entry: scanned.entry, standing: standing))
    }
    inventory.saves += finder.saves()
  }

  /// Restores the identities of documents that were saved while unobserved; their backups become copies of them.
  mutating func settleUnseenSaves(_ inventory: inout FirstInventory) {
    guard !inventory.saves.isEmpty else { return }
    let copies = Dictionary(grouping: inventory.originals.keys) { inventory.originals[$0] }
    for save in inventory.saves where isUnseenSave(save, inventory) {
      let (document, backup) = (save.document, save.backup)
      renew(backup, freeIdentity(for: graph.key(backup), on: save.fileSystem))
      renew(document, save.uuid)
      // It is no new file that may prove to be temporary.
      graph.setFlags(document, .minted, false)
      recentlyAnnounced[document] = nil
      for copy in copies[backup] ?? [] { inventory.originals[copy] = document }
      for name in graph.names(of: backup) where !inventory.furtherNames.contains(name) {
        inventory.originals[name] = document
      }
      noteLateFind(backup, isCopy: true)
    }
  }

  /// Whether finds in other directories have not contradicted a save.
  private func isUnseenSave(_ save: UnseenSave, _ inventory: FirstInventory) -> Bool {
    let (document, backup) = (graph[save.document], graph[save.backup])
    return backup.uuid == save.uuid && !backup.flags.contains(.copying) && document.flags.contains(.minted)
      && document.uuid != save.uuid && inventory.originals[save.document] == nil
  }
}
