#if Store
import FileTestSupport
import Testing

/// `--store`: what happened since the last run.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct StoreOptionTests {
  @Test func aScanWithAStoreKnowsWhatWasMovedMeanwhile() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir tree; cd tree; touch letter other; touch -d '1 hour ago' *")
    let store = folder.string + "/store"
    func run(_ arguments: String...) throws -> [JSONLine] {
      let run = try Tool.start(arguments + ["--format", "jsonl", "--store", store]).finish()
      #expect(run.status == 0 && run.errors == "")
      return try run.lines.map(JSONLine.init)
    }
    let items = try run("scan", folder.string + "/tree").dropLast()
    folder.shell("cd tree; mv letter renamed; rm other")
    let changes = try run("watch", folder.string + "/tree", "--once")
    #expect(changes.map(\.kind).contains("renamed") && changes.map(\.kind).contains("deleted"))
    let renamed = try #require(changes.first { $0.kind == "renamed" })
    #expect(renamed.uuid == items.first { $0.path.hasSuffix("/letter") }?.uuid)
  }

  @Test func aScanReadsContentsForTheNextRun() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir tree; cd tree; seq 100 > letter; seq 200 > other; touch -d '1 hour ago' *")
    func run(_ arguments: String...) throws -> [JSONLine] {
      let options = ["--format", "jsonl", "--store", folder.string + "/store", "--content", "documents"]
      let run = try Tool.start(arguments + options).finish()
      #expect(run.status == 0 && run.errors == "")
      return try run.lines.map(JSONLine.init)
    }
    let items = try run("scan", folder.string + "/tree").dropLast()
    folder.shell("cd tree; cp letter renamed; rm letter; cp other copy")
    let changes = try run("watch", folder.string + "/tree", "--once")
    let renamed = try #require(changes.first { $0.kind == "renamed" })
    #expect(renamed.uuid == items.first { $0.path.hasSuffix("/letter") }?.uuid)
    #expect(changes.contains { $0.kind == "duplicated" && $0.path.hasSuffix("/copy") })
  }

  @Test func contentsNeedAStore() throws {
    let folder = try ScratchFolder()
    let run = try Tool.start(["scan", folder.string, "--content", "all"]).finish()
    #expect(run.status == 64 && run.errors.contains("--content needs --store FILE"))
  }

  @Test func aStoreIsForOneFolder() throws {
    let folder = try ScratchFolder()
    let run = try Tool.start(["scan", folder.string, folder.string, "--store", folder.string + "/store"]).finish()
    #expect(run.status == 64 && run.errors.contains("--store is for one folder"))
  }
}
#endif
