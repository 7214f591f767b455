import FileTestSupport
import FoundationEssentials
import Glibc
import ObservationTestSupport
import SystemPackage
import Testing

/// `swift run LinkKeeper`: links between notes outlive what other programs do to the notes.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct LinkKeeperTests {
  private let folder: ScratchFolder
  private let vault: String

  init() throws {
    folder = try ScratchFolder()
    vault = folder["vault"]
    folder.shell("mkdir -p vault/plans vault/pictures")
  }

  private func start(_ arguments: String...) throws -> ToolProcess {
    let keeper = try ToolProcess(
      executable: "/usr/bin/stdbuf", ["-oL", Tool.folder.appending("LinkKeeper").string, vault] + arguments)
    try keeper.lines { $0.hasPrefix("Keeping the links of ") }
    return keeper
  }

  private func end(_ keeper: ToolProcess) {
    keeper.signal(SIGINT)
    #expect(keeper.finish().status == 128 + SIGINT)
  }

  private func write(_ text: String, to note: String) throws {
    try PlainFiles.write(text.utf8, to: FilePath("\(vault)/\(note)"))
  }

  private func text(of note: String) -> String? {
    try? String(contentsOf: URL(filePath: "\(vault)/\(note)"), encoding: .utf8)
  }

  private func expect(
    _ expected: String, in note: String, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let isMended = try await comesTrue { text(of: note) == expected }
    #expect(isMended, "\(text(of: note) ?? "no note")", sourceLocation: location)
  }

  private func makeNotes(_ notes: String...) throws {
    for note in notes { try write("", to: note) }
  }
}

// MARK: - Kinds of links

extension LinkKeeperTests {
  @Test func linksOfMarkdown() async throws {
    try makeNotes("plans/one.md", "plans/my note.md", "plans/a_(b).md", "pictures/lake.png")
    try write(
      """
      [plan](plans/one.md), [part](plans/my%20note.md#top "title"), [angle](<plans/my note.md>), [brackets](plans/a_(b).md).
      ![a lake](pictures/lake.png) [web](https://example.org/plans/one.md) [top](#top) [nowhere](plans/none.md)
      [plan]: plans/one.md "Title"
      """, to: "index.md")
    let keeper = try start()
    folder.shell("cd vault && mv plans projects && mv projects/one.md 'projects/two (2).md' && mv pictures/lake.png .")
    try await expect(
      """
      [plan](projects/two%20%282%29.md), [part](projects/my%20note.md#top "title"), [angle](<projects/my%20note.md>), \
      [brackets](projects/a_%28b%29.md).
      ![a lake](lake.png) [web](https://example.org/plans/one.md) [top](#top) [nowhere](plans/none.md)
      [plan]: projects/two%20%282%29.md "Title"
      """, in: "index.md")
    end(keeper)
  }

  @Test func wikiLinks() async throws {
    try makeNotes("plans/one.md", "plans/list.md", "list.md", "pictures/lake.png")
    try write("[[one]] [[one|the plan]] [[one#top]] [[plans/list]] [[list]] ![[lake.png]] [[none]]", to: "index.md")
    let keeper = try start()
    folder.shell("cd vault && mv plans/one.md plans/two.md && mv plans projects && mv pictures/lake.png sea.png")
    try await expect(
      "[[two]] [[two|the plan]] [[two#top]] [[projects/list]] [[list]] ![[sea.png]] [[none]]", in: "index.md")
    folder.shell("cd vault && mv projects/two.md list2.md && mv list2.md projects/deep.md")
    try await expect(
      "[[deep]] [[deep|the plan]] [[deep#top]] [[projects/list]] [[list]] ![[sea.png]] [[none]]", in: "index.md")
    // Another note has this name, too, and then one has the next: the path says which.
    folder.shell("cd vault && echo > deep.md")
    folder.shell("cd vault && mkdir more && mv projects/deep.md more/list.md")
    try await expect(
      "[[more/list]] [[more/list|the plan]] [[more/list#top]] [[projects/list]] [[list]] ![[sea.png]] [[none]]",
      in: "index.md")
    end(keeper)
  }

  @Test func aNoteThatMovesTakesItsLinksAlong() async throws {
    try makeNotes("index.md", "plans/two.md")
    try write("[up](../index.md) [beside](two.md) [[two]]", to: "plans/one.md")
    let keeper = try start()
    folder.shell("cd vault && mkdir -p a/b && mv plans/one.md a/b/")
    try await expect("[up](../../index.md) [beside](../../plans/two.md) [[two]]", in: "a/b/one.md")
    folder.shell("cd vault && mv a/b/one.md .")
    try await expect("[up](index.md) [beside](plans/two.md) [[two]]", in: "one.md")
    end(keeper)
  }
}

// MARK: - Other programs

extension LinkKeeperTests {
  /// An editor saves by renaming, and once with the old link, which it has still in memory.
  @Test func savesOfAnEditorAreKept() async throws {
    try makeNotes("list.md")
    try write("[list](list.md)\n", to: "index.md")
    let keeper = try start()
    folder.shell("cd vault && cp index.md .index.tmp && echo more >> .index.tmp && mv .index.tmp index.md")
    folder.shell("cd vault && git init -q && git add . && git mv list.md shopping.md")
    try await expect("[list](shopping.md)\nmore\n", in: "index.md")
    folder.shell("cd vault && mv index.md index.md~ && printf '[list](list.md)\\nmore and more\\n' > index.md")
    try await expect("[list](shopping.md)\nmore and more\n", in: "index.md")
    end(keeper)
  }

  /// Two write the same note in turns, and no line of the other one is lost.
  @Test func nobodysLinesAreLost() async throws {
    try makeNotes("list0.md")
    try write("[list](list0.md)\n", to: "index.md")
    let keeper = try start()
    var lines = ""
    for number in 1...5 {
      folder.shell("cd vault && mv list\(number - 1).md list\(number).md")
      try await expect("[list](list\(number).md)\n" + lines, in: "index.md")
      folder.shell("cd vault && { cat index.md && echo line \(number); } > .index.tmp && mv .index.tmp index.md")
      lines += "line \(number)\n"
      try await expect("[list](list\(number).md)\n" + lines, in: "index.md")
    }
    end(keeper)
  }

  @Test func whatWasRenamedMeanwhileIsMendedAfterARestart() async throws {
    try makeNotes("plans/one.md", "list.md")
    try write("[plan](plans/one.md) [list](list.md) [[one]]", to: "index.md")
    try write("[list](../list.md)", to: "plans/two.md")
    let store = folder["store"]
    let keeper = try start(store)
    folder.shell("cd vault && mv plans/one.md plans/first.md")
    try await expect("[plan](plans/first.md) [list](list.md) [[first]]", in: "index.md")
    // The store is written behind the observer.
    let isStored = try await comesTrue {
      try Tool.run("log", vault, "--store", store).output.contains("plans/first.md")
    }
    #expect(isStored)
    end(keeper)
    folder.shell(
      "cd vault && mv plans/first.md last.md && mv plans projects && mv list.md projects && mv index.md projects")
    folder.shell("cd vault && mkdir deep && mv projects/two.md deep")
    let again = try start(store)
    try await expect("[plan](../last.md) [list](list.md) [[last]]", in: "projects/index.md")
    try await expect("[list](../projects/list.md)", in: "deep/two.md")
    end(again)
  }
}
