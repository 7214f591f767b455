#if Store
import FileTestSupport
import Glibc
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

  @Test func aStartWithoutWaitingEndsItsScan() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir tree; cd tree; touch letter other; touch -d '1 hour ago' *")
    let arguments = [folder.string + "/tree", "--store", folder.string + "/store", "--format", "jsonl"]
    let windows = ["--settle", "0", "--quiet-period", "0"]
    #expect(try Tool.start(["scan"] + arguments + windows).finish().status == 0)
    folder.shell("cd tree; rm other; echo new > new")
    let run = try Tool.start(["watch", "--once"] + arguments + windows).finish()
    let kinds = try run.lines.map { try JSONLine($0).kind }
    #expect(run.status == 0 && kinds.contains("deleted") && kinds.contains("discovered"), "\(kinds)")
  }

  /// A program that keeps the cursor goes on from there; `log` knows what has happened, and when.
  @Test func sinceACursor() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir tree; cd tree; echo 1 > a; echo 2 > b; echo 3 > c; touch -d '1 hour ago' *")
    let (tree, store) = (folder.string + "/tree", folder.string + "/store")
    func run(_ arguments: String...) throws -> [JSONLine] {
      let run = try Tool.start(arguments + ["--format", "jsonl", "--store", store]).finish()
      #expect(run.status == 0 && run.errors == "")
      return try run.lines.map(JSONLine.init)
    }
    #expect(try run("scan", tree).count == 4 && run("log", tree).isEmpty)
    folder.shell("cd tree; mv a renamed")
    let first = try run("watch", tree, "--once")
    let cursor = try #require(first.last { $0.text("cursor") != "" }).text("cursor")
    folder.shell("cd tree; mv b moved; rm c")
    _ = try run("watch", tree, "--once")
    folder.shell("cd tree; mv renamed again")
    // What came after the cursor first, and then what has happened since the last run.
    let since = try run("watch", tree, "--since", cursor, "--timeout", "3").filter { $0.uuid != "" }
    #expect(since.map(\.kind).sorted() == ["deleted", "renamed", "renamed"])
    #expect(since.map(\.path).last?.hasSuffix("/again") == true && since.last?.kind == "renamed")
    let log = try run("log", tree)
    #expect(log.map(\.kind).sorted() == ["deleted", "renamed", "renamed", "renamed"])
    #expect(try run("log", tree, "--since", cursor).map(\.path) == since.map(\.path))
    #expect(log.allSatisfy { $0.members["time"] != nil })
    let uuid = try #require(since.last).uuid
    #expect(try run("log", tree, "--item", uuid).map { $0.path.split(separator: "/").last } == ["renamed", "again"])
  }

  @Test func cursorsThatAreOfNoUse() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir tree other; touch tree/a")
    let (tree, store) = (folder.string + "/tree", folder.string + "/store")
    func expect(_ arguments: String..., status: Int32, _ message: String) throws {
      let run = try Tool.start(arguments).finish()
      #expect(run.status == status && run.errors.contains(message), "\(arguments)")
    }
    try expect("log", tree, "--store", store, status: 1, "there is no store at")
    #expect(try Tool.start(["scan", tree, "--store", store]).finish().status == 0)
    let unknown = "0123456789abcdef-1"
    try expect("log", tree, "--store", store, "--since", unknown, status: 1, "knows nothing of the cursor \(unknown)")
    try expect("log", tree, "--store", store, "--since", "x", status: 64, "not a cursor")
    try expect("log", folder.string + "/other", "--store", store, status: 1, "is of another folder")
    try expect("watch", tree, "--since", unknown, status: 64, "name it with --store")
    let tool = try Tool.start(["watch", tree, "--store", store, "--since", unknown, "--format", "jsonl"])
    // The whole tree takes the place of what nobody knows.
    let lines = try tool.lines { $0.contains("\"discovered\"") && $0.contains("/a\"") }.map(JSONLine.init)
    #expect(lines.contains { $0.kind == "willBeginFullScan" && $0.text("reason") == "resumed" })
    tool.signal(SIGTERM)
    #expect(tool.finish().status == 0)
  }

  @Test func foldersTogetherHaveOneStore() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir -p one/docs two other; touch one/docs/a other/x; touch -d '1 hour ago' one/docs/a")
    let arguments = [folder.string + "/one/docs", folder.string + "/two", "--together", "--format", "jsonl"]
    let store = ["--store", folder.string + "/store"]
    let scan = try Tool.start(["scan"] + arguments + store).finish()
    let found = try scan.lines.map(JSONLine.init).filter { $0.uuid != "" }.map {
      $0.path.dropFirst(folder.string.count)
    }
    #expect(scan.status == 0 && Set(found) == ["/one", "/one/docs", "/one/docs/a", "/two"])
    folder.shell("mv one/docs/a two/b")
    let watch = try Tool.start(["watch", "--once"] + arguments + store).finish()
    let changes = try watch.lines.map(JSONLine.init).filter { $0.uuid != "" }
    #expect(watch.status == 0 && changes.map(\.kind) == ["moved"] && changes.first?.path == folder.string + "/two/b")
    for option in ["--follow-root", "--wait-for-root", "--levels=1"] {
      #expect(try Tool.start(["watch", option] + arguments).finish().status == 64, "\(option)")
    }
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

  @Test func theStoreOfAnotherFolderIsTakenOver() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir tree; echo letter > tree/letter; cp -r tree copy; touch -d '1 hour ago' copy/letter")
    func scan(_ name: String, _ options: String...) throws -> (id: String?, errors: String) {
      let arguments = ["scan", folder.string + "/" + name, "--format", "jsonl", "--store", folder.string + "/store"]
      let run = try Tool.start(arguments + options).finish()
      #expect(run.status == 0)
      return (try run.lines.map(JSONLine.init).first { $0.path.hasSuffix("/letter") }?.uuid, run.errors)
    }
    let letter = try #require(try scan("tree").id)
    let copy = try scan("copy", "--take-over-store")
    #expect(copy.id == letter && !copy.errors.contains("another folder"))
    let other = try scan("tree")
    #expect(other.errors.contains("is of another folder, which was \(folder.string)/copy"))
    let run = try Tool.start(["scan", folder.string, "--take-over-store"]).finish()
    #expect(run.status == 64 && run.errors.contains("--take-over-store needs --store FILE"))
  }

  /// No tag is read for a file that has not changed.
  @Test func aFileThatHasNotChangedCostsOneStatx() throws {
    guard Shell.run("strace -f -qq -o /dev/null true").status == 0 else {
      try Test.cancel("strace is not installed, or not permitted")
    }
    let folder = try ScratchFolder()
    let scan = "\(Tool.path) scan tree --store $PWD/store > /dev/null"
    // A tag that was written within two seconds before the tree was stored is read once more.
    folder.shell(
      """
      mkdir -p tree/1 tree/2; touch tree/1/{1..300} tree/2/{1..300}
      \(scan); sleep 2.1; \(scan); strace -f -c -o counts \(scan)
      """)
    let calls = Shell.run("cat \(folder["counts"])").lines.map { $0.split(separator: " ") }
    func count(_ names: String...) -> Int {
      calls.filter { $0.count >= 5 && names.contains(String($0.last ?? "")) }.compactMap { Int($0[3]) }.reduce(0, +)
    }
    #expect((602..<700).contains(count("statx")))
    #expect(count("getxattr", "lgetxattr", "fgetxattr", "getxattrat", "syscall_0x1d0") < 10)
  }

  @Test func aStoreIsForOneFolder() throws {
    let folder = try ScratchFolder()
    let run = try Tool.start(["scan", folder.string, folder.string, "--store", folder.string + "/store"]).finish()
    #expect(run.status == 64 && run.errors.contains("--store is for one folder"))
  }
}
#endif
