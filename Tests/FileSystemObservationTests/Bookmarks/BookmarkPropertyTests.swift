import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// Random operations on documents, copies and strangers: no bookmark ever leads to a file that is not its document, and
/// a document that exists is found, or is among the candidates.
///
/// A document ends when it is removed or overwritten. Then a copy with its tag, or what comes to its place, may be taken
/// for it: nothing on disk tells that from a move to another file system, or from a save. Where several may be it, the
/// user chooses the right one.
@Suite(.light, .enabled(if: Ability.tags.isPossible && Ability.exchange.isPossible)) struct BookmarkPropertyTests {
  @Test(arguments: 1...Scale.of(6)) func noBookmarkLeadsToAnotherFile(seed: Int) throws {
    var world = try World(seed: UInt64(seed))
    for step in 0..<80 {
      let operation = try world.act()
      for number in world.bookmarks.indices {
        let problem = world.check(number, usesHandles: step % 2 == 0)
        try #require(problem == nil, "seed \(seed), step \(step), \(operation): \(problem ?? "")")
      }
    }
  }
}

/// Bookmarks agree with a running observer about what is which document.
@Suite(.light, .enabled(if: Ability.tags.isPossible && Ability.exchange.isPossible)) struct BookmarkAgreementTests {
  @Test(arguments: 1...Scale.of(4)) func theyLeadWhereTheObserverHasTheDocument(seed: Int) async throws {
    var world = try World(seed: UInt64(seed))
    var configuration = FileSystemObserver.Configuration()
    configuration.deletionDelay = .milliseconds(100)
    configuration.quietPeriod = .milliseconds(100)
    let observed = ObservedFolder(world.test, options: configuration)
    try await observed.start()
    let uuids = try world.bookmarks.map { try #require(observed.observer[$0.lastKnownPath]).uuid }
    var bookmarks = world.bookmarks
    for round in 0..<8 {
      var operations: [String] = []
      for _ in 0..<3 { operations.append(try world.act()) }
      try await observed.settle()
      for (number, uuid) in uuids.enumerated() {
        let found = try? BookmarkSearch(bookmarks[number], usesHandles: round % 2 == 0).resolve(
          in: [.observer(observed.observer)])
        let path = observed.observer.path(forItemWith: uuid)
        // A file that was put back where it was is the file of an old bookmark.
        if path == nil, found?.path == bookmarks[number].lastKnownPath, found?.evidence.contains(.inode) == true {
          continue
        }
        #expect(found?.path == path, "seed \(seed), round \(round), document \(number): \(operations)")
        // Some are never renewed: what an app last saved may be old.
        if let found, number != 0 { bookmarks[number] = found.bookmark }
      }
    }
  }
}

/// Files of which it is known what they are.
private struct World {
  private static let names = ["letter", "note", "plan", "list"]
  private static let folders = ["a", "b", "a/c"]

  let test: TestFolder
  private var random: SplitMix64
  /// The documents, by their paths; other files are missing here.
  private var documents: [String: Int] = [:]
  private(set) var bookmarks: [FileBookmark] = []
  /// Bookmarks that lead to another bookmark's document since theirs was overwritten.
  private var merged: Set<Int> = []
  private var folder: Folder { test.watched }

  init(seed: UInt64) throws {
    test = try TestFolder("property")
    random = SplitMix64(seed: seed)
    for name in Self.folders { try test.watched.makeDirectories(name) }
    for (number, name) in ["a/letter", "b/note", "a/c/plan"].enumerated() {
      try test.watched.write(name)
      documents[name] = number
      // The second has no tag in the beginning.
      bookmarks.append(try FileBookmark(forFileAt: FilePath(test.watched[name]), writingTag: number != 1))
    }
  }

  // MARK: - Checking

  /// Resolves a bookmark and renews it; what is wrong with the result.
  mutating func check(_ number: Int, usesHandles: Bool) -> String? {
    if merged.contains(number) { return nil }
    let place = documents.first { $0.value == number }?.key
    do throws(FileBookmarkError) {
      let search = BookmarkSearch(bookmarks[number], usesHandles: usesHandles)
      return take(try search.resolve(in: [.folder(FilePath(folder.path))]), for: number, at: place)
    } catch {
      return choose(among: error.candidates, for: number, at: place)
    }
  }

  private mutating func take(_ found: FileBookmark.Resolution, for number: Int, at place: String?) -> String? {
    bookmarks[number] = found.bookmark
    let path = String(found.path.string.dropFirst(folder.path.count + 1))
    if path == place { return nil }
    let evidence = found.evidence.map(\.rawValue).sorted()
    guard place == nil, !found.evidence.contains(.inode) else {
      return "document \(number) is \(place ?? "gone"), not \(path), by \(evidence)"
    }
    if documents[path] == nil { documents[path] = number } else { merged.insert(number) }
    return nil
  }

  private mutating func choose(among candidates: [FilePath], for number: Int, at place: String?) -> String? {
    guard let place else { return nil }
    let path = FilePath(folder[place])
    guard candidates.contains(path), let chosen = try? FileBookmark(forFileAt: path, writingTag: false) else {
      return "document \(number) was not found at \(place)"
    }
    bookmarks[number] = chosen
    return nil
  }

  // MARK: - Acting

  /// Does something; says what.
  mutating func act() throws -> String {
    let files = try existing()
    guard let file = files.randomElement(using: &random) else { return try create(anyPath()) }
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1: return try move(file, to: anyPath())
    case 2: return try save(file, keepingTag: true)
    case 3: return try save(file, keepingTag: false)
    case 4: return try copy(file, to: anyPath())
    case 5: return try saveWithBackup(file)
    case 6: return try exchange(file, files.randomElement(using: &random) ?? file)
    case 7: return try remove(file)
    default: return try create(anyPath())
    }
  }

  private func existing() throws -> [String] {
    try Self.folders.flatMap { name in
      try Directory.list(folder[name]).filter { $0.kind == .file }.map { "\(name)/\($0.name)" }
    }.sorted()
  }

  private mutating func anyPath() -> String {
    let folder = Self.folders[Int.random(in: 0..<Self.folders.count, using: &random)]
    return "\(folder)/\(Self.names[Int.random(in: 0..<Self.names.count, using: &random)])"
  }

  private mutating func move(_ old: String, to new: String) throws -> String {
    guard old != new else { return "nothing" }
    try folder.rename(old, new)
    documents[new] = documents.removeValue(forKey: old)
    return "move \(old) to \(new)"
  }

  private func save(_ file: String, keepingTag: Bool) throws -> String {
    try folder.saveByReplacement(file, keepingTag: keepingTag)
    return "save \(file), \(keepingTag ? "keeping" : "losing") the tag"
  }

  /// The inode that the document had is its backup.
  private func saveWithBackup(_ file: String) throws -> String {
    guard !file.hasSuffix("~"), !folder.exists("\(file)~") else { return "nothing" }
    try folder.rename(file, "\(file)~")
    try folder.write(file, "new")
    return "save \(file) with a backup"
  }

  private mutating func copy(_ old: String, to new: String) throws -> String {
    guard old != new, !folder.exists(new) else { return "nothing" }
    let tag = try folder.tag(old)
    try folder.write(new, "copy")
    if let tag { try folder.setTag(new, tag) }
    return "copy \(old) to \(new)"
  }

  /// To exchange a document with its backup is to save it.
  private mutating func exchange(_ one: String, _ other: String) throws -> String {
    guard one != other, "\(one)~" != other, "\(other)~" != one else { return "nothing" }
    try folder.exchange(one, other)
    (documents[one], documents[other]) = (documents[other], documents[one])
    return "exchange \(one) and \(other)"
  }

  private mutating func remove(_ file: String) throws -> String {
    try folder.unlink(file)
    documents[file] = nil
    return "remove \(file)"
  }

  private func create(_ file: String) throws -> String {
    guard !folder.exists(file) else { return "nothing" }
    try folder.write(file, "stranger")
    return "create \(file)"
  }
}
