import FileSystemObservation
import FileTestSupport
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Random operations of an app that has a list of everything below its folder.
@Suite(.busy, .enabled(if: Ability.tags.isPossible, "the file system keeps no tags")) struct RandomOperationsTests {
  private static let seeds = UInt64(1)...(Environment["FSO_LIST_SEEDS"].flatMap { UInt64($0) } ?? 2)

  /// After each operation the list is as the folder on disk, though nothing is awaited, and its changes make it of what
  /// it was.
  @Test(.undisturbed, arguments: TestSource.toTest, seeds)
  func aListShowsEachOperationAtOnce(_ source: TestSource, _ seed: UInt64) async throws {
    let fixture = try await OperationFixture(options: source.applied(to: .init())) { try $0.watched.write("first.txt") }
    var app = try #require(App(fixture, seed: seed))
    for step in 0..<150 {
      let action = try app.act()
      let differences = try app.differences()
      guard differences.isEmpty else {
        Issue.record("seed \(seed), step \(step), \(action): \(differences)")
        return
      }
    }
    #expect(app.doneCount > 100)
    let others = fixture.observed.changes(from: 0).filter { $0.origin == .other }
    // Who looks again and again may find a save a second time, and take it for another's.
    #expect(others.filter { source != .polling || $0.kind != .modified }.map(fixture.observed.describe) == [])
    try await fixture.observed.expectAgreement()
  }

  /// The same while another program works in the same folder: in the end all agree.
  @Test(arguments: UInt64(1)...2) func othersWorkAtTheSameTime(_ seed: UInt64) async throws {
    let fixture = try await OperationFixture { try $0.watched.write("first.txt") }
    var app = try #require(App(fixture, seed: seed))
    let churn = Churn(in: fixture.root)
    async let others = churn.run(seed: seed, threads: 1, for: .seconds(2))
    for _ in 0..<150 { _ = try app.act() }
    #expect(try await others > 0)
    try await fixture.observed.expectAgreement()
    await fixture.observer.synchronize()
    #expect(try app.differences() == [])
  }
}

/// An app that works on random items of its folder.
private struct App {
  private let fixture: OperationFixture
  private let list: FileSystemItemList
  /// The rows that the changes of the list have made, all at once, and one splice after the other.
  private var batched: [FileSystemItem.ID]
  private var spliced: [FileSystemItem.ID]
  private var random: SplitMix64
  private var serial = 0
  private(set) var doneCount = 0

  init?(_ fixture: OperationFixture, seed: UInt64) {
    guard let list = fixture.observer.itemList(below: nil) else { return nil }
    self.fixture = fixture
    self.list = list
    batched = Self.ids(of: list)
    spliced = batched
    random = SplitMix64(seed: seed)
  }

  private static let actions = ["create", "folder", "rename", "move", "replace", "copy", "remove", "save", "document"]

  /// Does something; an operation that the file system refuses is none.
  mutating func act() throws -> String {
    let action = Self.actions.randomElement(using: &random) ?? "create"
    do {
      try act(action)
      doneCount += 1
      return action
    } catch let error as FileSystemObserverError {
      return "\(action), refused: \(error)"
    } catch let error as Errno {
      // Another program has removed what was to be listed or written.
      return "\(action), failed: \(error)"
    }
  }

  private mutating func act(_ action: String) throws {
    let observer = fixture.observer
    let (file, folder) = (try some(.file), try some(.directory))
    switch action {
    case "create": try observer.createFile(at: place(in: folder), contents: Array("\(serial)".utf8))
    case "folder": try observer.createDirectory(at: place(in: folder))
    case "rename": if let item = try someItem() { try observer.renameItem(at: item, to: name()) }
    case "move": if let item = try someItem() { try observer.moveItem(at: item, to: place(in: folder)) }
    case "replace":
      if let file, let other = try some(.file) { try observer.moveItem(at: file, to: other, overwriting: true) }
    case "copy": if let item = try someItem() { try observer.duplicateItem(at: item, to: place(in: folder)) }
    case "remove": if let item = try someItem() { try observer.removeItem(at: item) }
    case "save": if let file { try observer.replaceContents(of: file, with: "saved \(name())".utf8) }
    default: try saveFolder(folder)
    }
  }

  /// A folder document gets other files; one of them stays.
  private mutating func saveFolder(_ folder: FilePath?) throws {
    guard let folder else { return }
    let kept = try Directory.list(folder.string).first { $0.kind == .file }?.name
    let names = [kept, name()].compactMap(\.self)
    try fixture.observer.replaceContents(ofDirectoryAt: folder) { new in
      for name in names { try Folder(new.string).write(name, "saved") }
    }
  }

  private mutating func name() -> String {
    serial += 1
    return "item \(serial).txt"
  }

  private mutating func place(in folder: FilePath?) -> FilePath {
    (folder ?? FilePath(fixture.root.path)).appending(name())
  }

  private mutating func someItem() throws -> FilePath? {
    try random.chance(1, of: 3) ? some(.directory) : some(.file)
  }

  /// A random item on disk.
  private mutating func some(_ kind: FileSystemItem.Kind) throws -> FilePath? {
    try onDisk().filter { $0.value == kind }.keys.sorted().randomElement(using: &random).map { fixture.path($0) }
  }

  private func onDisk(below folder: String = "") throws -> [String: FileSystemItem.Kind] {
    var items: [String: FileSystemItem.Kind] = [:]
    for entry in try Directory.list(fixture.root.path + "/" + folder) where !entry.name.hasPrefix(".") {
      guard let kind = entry.kind else { continue }
      items[folder + entry.name] = kind
      if kind == .directory { items.merge(try onDisk(below: "\(folder)\(entry.name)/")) { first, _ in first } }
    }
    return items
  }

  private static func ids(of list: FileSystemItemList) -> [FileSystemItem.ID] {
    list.indices.map { list.snapshot(at: $0).id }
  }

  /// Updates the list, and applies its changes to the rows known so far; how they differ from the list.
  private mutating func updateRows() -> [String] {
    guard let changes = list.update() else { return [] }
    let ids = Self.ids(of: list)
    for index in (changes.deletions + changes.moves.map(\.from)).sorted(by: >) { batched.remove(at: index) }
    for index in (changes.insertions + changes.moves.map(\.to)).sorted() { batched.insert(ids[index], at: index) }
    var rows = spliced.map(Optional.some)
    for splice in changes.splices {
      rows.replaceSubrange(
        splice.position..<splice.position + splice.removed, with: Array(repeating: nil, count: splice.added))
    }
    spliced = rows.count == ids.count ? zip(rows, ids).map { $0 ?? $1 } : []
    return (batched == ids ? [] : ["\(changes) does not give the rows"])
      + (spliced == ids ? [] : ["the splices of \(changes) do not give the rows"])
  }

  /// How the list differs from its changes, and from the disk.
  mutating func differences() throws -> [String] {
    let contradictions = updateRows()
    let known = Dictionary(grouping: list.indices.map { list.snapshot(at: $0) }, by: \.relativePath.string)
    let disk = try onDisk()
    var differences = known.filter { $0.value.count > 1 }.map { "\($0.key) has \($0.value.count) rows" }
    for path in Set(known.keys).union(disk.keys) where known[path]?.first?.kind != disk[path] {
      differences.append("\(path) is \(disk[path].map(\.rawValue) ?? "missing")")
    }
    for (path, rows) in known where disk[path] != .symlink {
      guard let tag = try? fixture.root.tag(path), tag != rows.first?.uuid else { continue }
      differences.append("\(path) has another UUID")
    }
    return contradictions + differences.sorted()
  }
}
