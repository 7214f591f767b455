import FoundationEssentials
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// What an app stores or sends comes back as it was, whatever the files are called.
@Suite(.light) struct CodingTests {
  private typealias Observer = FileSystemObserver

  private static let directory = FilePath(bytes: Array("/caf".utf8) + [0xe9])
  private static let odd = FilePath(bytes: Array("d/\"a\n".utf8) + [0xff, 0xfe])

  /// A value after a way through JSON.
  private func coded<Value: Codable>(_ value: Value) throws -> Value {
    let data = try JSONEncoder().encode([value])
    return try #require(try JSONDecoder().decode([Value].self, from: data).first)
  }

  private func expectComesBack(
    _ value: some Codable & Hashable, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let decoded = try coded(value)
    #expect(decoded == value, sourceLocation: location)
    #expect(decoded.hashValue == value.hashValue, sourceLocation: location)
  }

  /// Each comes back, and no two are equal.
  private func expectComeBack(
    _ values: [some Codable & Hashable], _ location: SourceLocation = #_sourceLocation
  ) throws {
    for value in values { try expectComesBack(value, location) }
    #expect(Set(values).count == values.count, sourceLocation: location)
  }
}

// MARK: - Items and changes

extension CodingTests {
  private typealias Item = FileSystemItem.Snapshot

  /// An item that has everything.
  private static func item(_ path: FilePath, kind: FileSystemItem.Kind = .file, names: [FilePath] = []) -> Item {
    Item(
      uuid: UUID(), kind: kind, relativePath: path, directory: directory, parent: UUID(), size: 1 << 40,
      modificationNanoseconds: -1, creationNanoseconds: .max, childCount: kind == .directory ? 3 : nil, isCopying: true,
      identity: .inode, isFurtherName: !names.isEmpty, names: names)
  }

  private static func changes(_ path: FilePath) -> [FileSystemChange] {
    let item = item(path), previous = directory.pushing("was").pushing(path)
    let events: [FileSystemChange.Event] = [
      .discovered(isCopying: false, isReturned: false), .discovered(isCopying: true, isReturned: true), .copyFinished,
      .modified, .renamed(from: previous), .moved(from: previous),
      .duplicated(of: FileSystemChange.Original(uuid: UUID(), path: previous)), .linked, .unlinked, .activity,
      .propertiesChanged,
      .attributesChanged(.init(permissions: true, owner: true, names: ["user.xdg.tags", "user.é"])),
      .attributesChanged(.init()),
    ]
    return (events + DeletionReason.allCases.map { .deleted($0) }).map { FileSystemChange($0, item) }
  }

  @Test func itemsComeBack() throws {
    try expectComeBack([
      Item(uuid: UUID(), relativePath: "a.txt", directory: "/T"), Self.item("é"), Self.item(Self.odd),
      Self.item("d", kind: .directory), Self.item("l", kind: .symlink),
      Self.item("x", names: [Self.directory.pushing("x"), Self.directory.pushing(Self.odd)]),
    ])
    try expectComeBack([Item.ID(uuid: UUID()), Item.ID(uuid: UUID(), furtherName: Self.odd)])
  }

  @Test func changesOfEveryKindComeBack() throws {
    let changes = Self.changes("a.txt") + Self.changes(Self.odd)
    #expect(Set(changes.map(\.kind)) == Set(FileSystemChange.Kind.allCases))
    try expectComeBack(changes)
    try expectComeBack(changes.map(\.event).filter { $0.kind == .attributesChanged }.suffix(2))
    let set = FileSystemChanges(changes, directory: Self.directory, sequence: 7)
    let decoded = try coded(set)
    #expect(decoded == set && decoded.sequence == 7 && decoded.directory == Self.directory)
    #expect(decoded != FileSystemChanges(changes, directory: Self.directory, sequence: 8))
    #expect(decoded != FileSystemChanges(changes.dropLast(), directory: Self.directory, sequence: 7))
  }

  /// A path that is not text is not repaired: another file may have the name that would come out.
  @Test func aPathThatIsNotUTF8IsKeptByteByByte() throws {
    let item = Self.item(Self.odd)
    #expect(try coded(item).path.bytes == Self.directory.bytes + Array("/d/\"a\n".utf8) + [0xff, 0xfe])
    let text = String(decoding: try JSONEncoder().encode(item), as: UTF8.self)
    #expect(text.contains("base64") && !text.contains("\u{fffd}"))
    let malformed = text.replacing("\"base64\":\"", with: "\"base64\":\"?")
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Item.self, from: Data(malformed.utf8)) }
  }

  private func observeNames() async throws -> ObservedFolder {
    let observed = try await ObservedFolder.begin { folder in
      try folder.watched.makeDirectories("d/e")
      try folder.watched.write("d/a.txt")
      try folder.watched.link("d/a.txt", "d/e/b.txt")
      try folder.watched.symlink("a.txt", "link")
      try folder.watched.write("d/e/c.txt")
    }
    await observed.observer.synchronize()
    return observed
  }

  /// The parts of a tree, with the item whose they are.
  private func parts(of observed: ObservedFolder) throws -> [(item: Item, part: FileSystemSnapshot)] {
    try observed.observer.snapshot().flatMap { item in
      try [FileSystemObserver.Scope.item(item.uuid), .folder(item.uuid), .subtree(item.uuid)].compactMap { scope in
        guard case .reset(let part, _) = try observed.observer.makeEventQueue(of: scope).next() else { return nil }
        return (item, part)
      }
    }
  }

  /// Also where the directories above the items of a part are not among them.
  private func expectPartsComeBack(_ observed: ObservedFolder) throws {
    for (item, part) in try parts(of: observed) {
      #expect(part.contains(item))
      // Of a file with several names, a part may have some only.
      if part.allSatisfy({ $0.names.count == 1 }) { #expect(try coded(part) == part) }
    }
  }

  @Test func whatAnObserverGivesComesBack() async throws {
    let observed = try await observeNames()
    let snapshot = observed.observer.snapshot()
    #expect(snapshot.count == 6)
    #expect(try coded(snapshot) == snapshot)
    for item in snapshot { try expectComesBack(item) }
    try expectPartsComeBack(observed)
    for entry in observed.recorder.entries {
      if case .didChange(let set) = entry.event { #expect(try coded(set) == set) }
    }
    // The observed directory, too, is known by its identity.
    let item = try #require(snapshot[FilePath(observed.root["link"])])
    let folder = try #require(item.parent)
    #expect(try coded(snapshot)[folder]?.path == observed.observer.directory)
    let cursor = try #require(snapshot.cursor)
    try expectComesBack(cursor)
    #expect(FileSystemObserver.Cursor("\(cursor)") == cursor)
  }

  /// A tree with its position is all that an app keeps to go on.
  @Test func aTreeComesBackAndGoesOn() async throws {
    let observed = try await observeNames()
    try observed.root.link("d/a.txt", "0.txt")
    await observed.observer.synchronize()
    var tree = FileSystemTree(observed.observer.snapshot())
    var decoded = try coded(tree)
    #expect(decoded == tree && decoded.sequence == tree.sequence && decoded.cursor == tree.cursor)
    #expect(Set(decoded) == Set(tree))
    let file = try observed.uuid("d/a.txt")
    #expect(decoded.names(of: file) == tree.names(of: file) && tree.names(of: file).count == 3)
    let queue = try observed.observer.makeEventQueue(startingWith: .after(try #require(decoded.cursor)))
    try observed.root.rename("d", "f")
    try observed.root.unlink("0.txt")
    try observed.root.write("f/e/new.txt")
    await observed.observer.synchronize()
    queue.drain { event in
      tree.apply(event)
      decoded.apply(event)
    }
    #expect(decoded == tree && decoded == FileSystemTree(observed.observer.snapshot()))
    #expect(decoded.names(of: file) == tree.names(of: file))
  }

  /// The folders above are no items, and must be none after decoding.
  @Test func theTreeOfAPartComesBack() async throws {
    let observed = try await observeNames()
    try observed.root.link("d/a.txt", "0.txt")
    await observed.observer.synchronize()
    for (_, part) in try parts(of: observed) {
      let tree = FileSystemTree(part)
      let decoded = try coded(tree)
      #expect(decoded == tree && decoded.count == tree.count && Set(decoded) == Set(tree))
    }
  }

  @Test(arguments: [["a", "a"], ["../a"], ["a/b"]])
  func itemsThatCannotBeInATreeAreRefused(_ paths: [String]) throws {
    let items = paths.map { Item(uuid: UUID(), relativePath: FilePath($0), directory: "/T") }
    let json = String(decoding: try JSONEncoder().encode(items), as: UTF8.self)
    let text = Data("{\"directory\": \"/T\", \"sequence\": 1, \"items\": \(json)}".utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(FileSystemTree.self, from: text) }
  }

  @Test(arguments: [
    "", "-", "1-2", "0123456789abcdef", "0123456789abcdef-", "0123456789abcdef-x", "g123456789abcdef-1",
  ])
  func whatIsNoCursorIsRefused(_ text: String) {
    #expect(FileSystemObserver.Cursor(text) == nil)
    let json = Data("[\"\(text)\"]".utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([FileSystemObserver.Cursor].self, from: json) }
  }
}

// MARK: - Configurations

extension CodingTests {
  /// A configuration in which nothing has its default.
  private static var everythingElse: Observer.Configuration {
    var configuration = Observer.Configuration(directory: directory)
    configuration.directories = [directory.appending("a"), directory.appending("b")]
    configuration.excludedPatterns = ["*.tmp", "/Inbox"]
    configuration.includedPatterns = ["*.md"]
    configuration.depth = 3
    configuration.includesHiddenItems = true
    configuration.tagging = .whenAsked
    configuration.tagsFilesOfLowerLayers = true
    configuration.tagName = "user.app.uuid"
    configuration.backend = .polling
    configuration.usesPrivilege = false
    configuration.deletionDelay = .milliseconds(1)
    configuration.quietPeriod = .nanoseconds(2)
    configuration.announcementDelay = .seconds(3)
    configuration.modificationInterval = .seconds(4)
    configuration.progressInterval = .seconds(5)
    configuration.namePatterns.backups = ["*.b"]
    configuration.rootLossPolicy = .follow
    configuration.warnsWithoutListeners = false
    configuration.keepsFlightRecording = true
    configuration.contentEvidence = .all
    configuration.contentEvidenceLimit = 64
    configuration.contentDelay = .seconds(6)
    return configuration
  }

  /// What two configurations have in common, by the names of the properties.
  private func same(_ left: Observer.Configuration, _ right: Observer.Configuration) -> [String] {
    zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children)
      .filter { "\($0.value)" == "\($1.value)" }.compactMap(\.0.label)
  }

  @Test func everySettingComesBack() throws {
    let configuration = Self.everythingElse
    #expect(same(configuration, Observer.Configuration(directory: "/T")) == ["unusableURL"])
    try expectComesBack(configuration)
    try expectComesBack(Observer.Configuration(directory: try #require(URL(string: "https://example.org/T"))))
    try expectComesBack(Observer.NamePatterns())
  }

  /// What an older version wrote can be read.
  @Test func aSettingThatIsMissingHasItsDefault() throws {
    func decoded(_ json: String) throws -> Observer.Configuration {
      try JSONDecoder().decode(Observer.Configuration.self, from: Data(json.utf8))
    }
    #expect(try decoded(#"{"directory":"/T"}"#) == Observer.Configuration(directory: "/T"))
    var deep = Observer.Configuration(directory: "/T")
    deep.depth = 2
    #expect(try decoded(#"{"directory":"/T","depth":2,"another":1}"#) == deep)
    deep.depth = nil
    deep.namePatterns.backups = ["*.b"]
    #expect(try decoded(#"{"directory":"/T","namePatterns":{"backups":["*.b"]}}"#) == deep)
    #expect(throws: DecodingError.self) { try decoded(#"{"depth":2}"#) }
    #expect(throws: DecodingError.self) { try decoded(#"{"directory":"/T","depth":"two"}"#) }
  }
}

// MARK: - What else is announced

extension CodingTests {
  @Test func reportsComeBack() throws {
    let skipped = Dictionary(uniqueKeysWithValues: zip(Observer.SkipReason.allCases, 1...))
    try expectComeBack([
      Observer.ScanSummary(itemCount: 1),
      Observer.ScanSummary(
        reason: .eventsLost, itemCount: 2, directoryCount: 3, taggedCount: 4, duplicateCount: 5, skipped: skipped,
        duration: .nanoseconds(1_234_567_891)),
    ])
    try expectComeBack(
      Observer.ScanReason.allCases.map {
        Observer.ScanProgress(reason: $0, itemCount: 1, awaitedDirectoryCount: 2)
      })
    let limit = Observer.Diagnostic.Limit(name: "fs.x", value: 1, suggestedValue: 2, command: "sysctl fs.x=2")
    try expectComeBack(
      Observer.Diagnostic.Code.allCases.map { Observer.Diagnostic(code: $0, message: "a\nb") } + [
        Observer.Diagnostic(
          code: .limitReached, message: "", path: Self.odd, errno: .noSpace, limit: limit)
      ])
  }

  @Test func whatAListenerAsksForComesBack() throws {
    let uuid = UUID()
    let cursor = try #require(FileSystemObserver.Cursor("0000000000000001-2"))
    for scope in [FileSystemObserver.Scope.all, .folder(uuid), .subtree(uuid), .item(uuid)] {
      try expectComesBack(scope)
    }
    for start in [FileSystemObserver.Start.now, .snapshot, .after(cursor)] { try expectComesBack(start) }
    for policy in FileSystemObserver.WhenFull.allCases { try expectComesBack(policy) }
    try expectComesBack([FileSystemObserver.Details.activity, .attributes] as FileSystemObserver.Details)
    try expectComesBack(FileSystemObserver.Details.folderArrivals)
  }

  @Test func errorsComeBack() throws {
    let codes: [FileSystemObserverError.Code] = [
      .rootNotFound, .rootNotDirectory, .rootNotReadable, .rootNotAnswering, .rootLost, .alreadyRunning, .limitReached,
      .invalidArgument, .outsideTree, .notAFile, .identityInUse, .itemIsBusy, .contentsChanged,
      .cancelled, .fileOperationFailed,
    ]
    try expectComeBack(codes)
    try expectComeBack(codes.map { FileSystemObserverError(code: $0, message: "m") })
    try expectComesBack(
      FileSystemObserverError(code: .rootLost, message: "é\u{1b}[2J", path: Self.odd, errno: .ioError))
  }

  @Test func wordsComeBack() throws {
    try expectComeBack(FileSystemChange.Kind.allCases)
    try expectComeBack(FileSystemItem.Kind.allCases)
    try expectComeBack(Observer.ContentEvidence.allCases)
    try expectComeBack(FileSystemItem.IdentityKind.allCases)
    try expectComeBack(DeletionReason.allCases)
    try expectComeBack(Observer.ResetReason.allCases)
    try expectComeBack(Observer.Tagging.allCases)
    try expectComeBack(Observer.RootLossPolicy.allCases)
    try expectComeBack(Observer.Backend.allCases)
    try expectComeBack([FileSystemIdentity.Value(uuid: UUID(), kind: .tag), .init(uuid: UUID(), kind: .inode)])
  }
}
