import FileSystemObservation
import FoundationEssentials
import Observation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Live objects on actors: one object for each item, updates by themselves.
@Suite(.light) struct LiveIsolationTests {
  private static func begin() async throws -> ObservedFolder {
    let observed = try await ObservedFolder.begin { folder in
      try folder.watched.mkdir("d")
      for name in ["a.txt", "b.txt", "d/x.txt"] { try folder.watched.write(name) }
    }
    await observed.observer.synchronize()
    return observed
  }

  @MainActor @Test func listsOfOneActorShareTheirObjects() async throws {
    let observed = try await Self.begin()
    let observer = observed.observer
    let path = FilePath(observed.root["a.txt"])
    let list = try #require(observer.itemList())
    let whole = try #require(observer.itemList(below: nil, sortedBy: .name.reversed()))
    let row = list[0]
    #expect(whole.first { $0.name == "a.txt" } === row)
    #expect(observer.item(at: path) === row && observer.item(with: row.uuid) === row)
    #expect(list.folder != nil && observer.directoryItem() === list.folder)
    // The newest state that any of them has seen.
    try observed.root.rename("a.txt", "c.txt")
    await observer.synchronize()
    #expect(row.name == "a.txt" && whole.update() != nil && row.name == "c.txt")
    #expect(list[0] === row && list.snapshot(at: 0).name == "a.txt")
    #expect(list.update() != nil && row.name == "c.txt" && list[1] === row)
    // Another actor has its own.
    let elsewhere = await Window(observer).identifier(at: 1)
    #expect(elsewhere != ObjectIdentifier(row))
    withExtendedLifetime(observed) {}
  }

  @MainActor @Test func objectsAreKeptByTheAppOnly() async throws {
    let observed = try await Self.begin()
    let list = try #require(observed.observer.itemList())
    weak let row = list[0]
    #expect(row == nil)
    let kept = list[0]
    weak let again = list[0]
    #expect(again === kept)
    weak let weakList = observed.observer.itemList()
    #expect(weakList == nil)
  }

  @MainActor @Test func blocksRunOnTheMainActor() async throws {
    let observed = try await Self.begin()
    let list = try #require(observed.observer.itemList())
    let item = try #require(observed.observer.item(at: FilePath(observed.root["b.txt"])))
    var told: [[String]] = []
    var changes: [FileSystemChange.Kind?] = []
    let token = list.addNotificationBlock { list, _ in
      MainActor.assertIsolated()
      told.append(list.map(\.name))
    }
    let itemToken = item.addNotificationBlock { item, change in
      MainActor.assertIsolated()
      #expect(item.name == "c.txt")
      changes.append(change?.kind)
    }
    try observed.root.rename("b.txt", "c.txt")
    #expect(try await comesTrue { told.count == 1 && changes.count == 1 })
    #expect(told == [["a.txt", "c.txt", "d"]] && changes == [.renamed])
    // Another order is told by itself, too.
    list.order = .name.reversed()
    #expect(try await comesTrue { told.count == 2 })
    #expect(told.last == ["d", "c.txt", "a.txt"])
    token.invalidate()
    itemToken.invalidate()
    try observed.root.unlink("a.txt")
    try await observed.settle()
    await observed.observer.synchronize()
    #expect(told.count == 2 && list.update()?.deletions == [2] && told.count == 2)
  }

  @MainActor @Test func manyChangesLeaveTheActorToOthersInBetween() async throws {
    let observed = try await ObservedFolder.begin { folder in
      try folder.watched.mkdir("d")
      for number in 1..<150 { try folder.watched.write("d/\(number)") }
    }
    let observer = observed.observer
    await observer.synchronize()
    let list = try #require(observer.itemList(below: nil))
    var insertions: [Int] = []
    let token = list.addNotificationBlock { insertions.append($1.insertions.count) }
    // Each copy is announced in one set, before the call returns, and the list has no turn yet.
    try Self.makeCopies(1...3, in: observed)
    #expect(try await comesTrue { list.count == 4 * 150 })
    #expect(insertions == [300, 150])
    // An update of the app itself takes everything.
    try Self.makeCopies(4...6, in: observed)
    #expect(list.update()?.insertions.count == 450)
    token.invalidate()
  }

  /// Makes copies of the folder `d`, without leaving the thread to others.
  private static func makeCopies(_ numbers: ClosedRange<Int>, in observed: ObservedFolder) throws {
    for number in numbers {
      try observed.observer.duplicateItem(
        at: FilePath(observed.root["d"]), to: FilePath(observed.root["copy \(number)"]))
    }
  }

  /// An actor with a list.
  private actor Window {
    private(set) var told: [[String]] = []
    private var token: NotificationToken?

    init(_ observer: FileSystemObserver) {
      self.observer = observer
    }

    private let observer: FileSystemObserver
    private var open: FileSystemItemList?

    func identifier(at index: Int) -> ObjectIdentifier? {
      open = observer.itemList()
      return open.map { ObjectIdentifier($0[index]) }
    }

    func listen(_ called: @escaping @Sendable () -> Void) {
      open = observer.itemList()
      token = open?.addNotificationBlock { [weak self] list, _ in
        let names = list.map(\.name)
        self?.assumeIsolated { $0.told.append(names) }
        called()
      }
    }

    func followUpdates(_ count: Int) async -> [[String]] {
      guard let list = observer.itemList() else { return [] }
      var rows: [[String]] = []
      for await changes in list.updates() where !changes.isEmpty {
        rows.append(list.map(\.name))
        if rows.count == count { break }
      }
      return rows
    }
  }

  @Test func blocksRunOnAnyActor() async throws {
    let observed = try await Self.begin()
    let window = Window(observed.observer)
    let calls = Feed<Bool>()
    await window.listen { calls.append(true) }
    try observed.root.rename("b.txt", "c.txt")
    #expect(await calls.firstIndex(within: .seconds(60)) { $0 } != nil)
    #expect(await window.told == [["a.txt", "c.txt", "d"]])
    withExtendedLifetime(observed) {}
  }

  @Test func updatesAreASequence() async throws {
    let observed = try await Self.begin()
    let window = Window(observed.observer)
    let renames = Task {
      // The list may begin before or after any of these.
      var number = 0
      while !Task.isCancelled {
        try observed.root.rename(number == 0 ? "b.txt" : "c\(number).txt", "c\(number + 1).txt")
        number += 1
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    let told = await window.followUpdates(1)
    renames.cancel()
    #expect(told.count == 1 && told[0].count == 3 && told[0][1].hasPrefix("c"))
  }

  @MainActor @Test func updatesEndWithTheTaskAndTheObserver() async throws {
    let observed = try await Self.begin()
    let list = try #require(observed.observer.itemList())
    let task = Task { @MainActor in
      var count = 0
      for await _ in list.updates() { count += 1 }
      return count
    }
    await Task.yield()
    task.cancel()
    #expect(await task.value == 0)
    // Without its observer, too.
    let other = try #require(FileSystemObserver(directory: observed.observer.directory).itemList())
    for await _ in other.updates() {}
    #expect(other.observer == nil && other.update() == nil)
  }

  @MainActor @Test func viewsAreToldThatRowsChange() async throws {
    let observed = try await Self.begin()
    let list = try #require(observed.observer.itemList())
    let row = list[0]
    nonisolated(unsafe) var told: [String] = []
    withObservationTracking {
      _ = list.count
    } onChange: {
      unsafe told.append("rows")
    }
    withObservationTracking {
      _ = row.name
    } onChange: {
      unsafe told.append("name")
    }
    try observed.root.rename("a.txt", "c.txt")
    await observed.observer.synchronize()
    #expect(unsafe told == [])
    list.update()
    #expect(unsafe told == ["rows", "name"])
  }
}
