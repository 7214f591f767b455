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
