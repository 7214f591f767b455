import FileTestSupport
import SystemPackage
import Testing

/// `scan`: the inventory, and what the scan did.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct ScanTests {
  private func scan(_ folder: ScratchFolder, _ options: String...) throws -> (items: [JSONLine], end: JSONLine) {
    let run = try Tool.start(["scan", folder.string, "--format", "jsonl"] + options).finish()
    #expect(run.status == 0)
    #expect(run.errors == "")
    let lines = try run.lines.map(JSONLine.init)
    return (lines.dropLast(), try #require(lines.last))
  }

  @Test func theSecondScanTagsNothingAndFindsTheSame() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir -p {a,b,c}/{1,2,3}; for d in */*; do touch $d/{x,y,z}; done; touch -d '1 hour ago' */*/*")
    let first = try scan(folder)
    let second = try scan(folder)
    #expect(first.end.number("items") == 3 + 9 + 27)
    #expect(first.end.number("directories") == 12)
    #expect(first.end.number("tagged") == 39)
    #expect(second.end.number("tagged") == 0)
    #expect(first.items.map { $0.path + $0.uuid } == second.items.map { $0.path + $0.uuid })
    #expect(Set(first.items.map(\.uuid)).count == 39)
    #expect(first.items.map(\.path) == first.items.map(\.path).sorted())
  }

  @Test func copiesAreSplit() throws {
    let folder = try ScratchFolder()
    folder.shell("touch original; touch -d '1 hour ago' original")
    let original = try #require(scan(folder).items.first).uuid
    folder.shell("cp -a original copy; touch -d '1 hour ago' copy; touch -d '2 hours ago' original")
    let (items, end) = try scan(folder)
    #expect(end.number("duplicates") == 1)
    #expect(Set(items.map(\.uuid)).count == 2 && items.map(\.uuid).contains(original))
  }

  @Test func withoutTaggingNothingIsWritten() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir sub; touch a sub/b; stat -c '%n %z' a sub sub/b > /dev/null")
    let before = Shell.run("cd \"$0\"; stat -c '%n %z %y' . a sub sub/b", folder.string).output
    let (items, end) = try scan(folder, "--no-tag")
    #expect(items.count == 3)
    #expect(end.number("tagged") == 0)
    #expect(Shell.run("cd \"$0\"; stat -c '%n %z %y' . a sub sub/b", folder.string).output == before)
    #expect(Shell.run("getfattr -R -d -m - \"$0\" 2>/dev/null", folder.string).output == "")
  }

  @Test func whatIsSkippedIsCounted() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir -p one/two; touch .hidden a.o b.o c one/two/deep; mkfifo fifo; ln -s c link")
    let (items, end) = try scan(folder, "--exclude", "*.o", "--levels", "1")
    #expect(items.map { $0.path.dropFirst(folder.string.count + 1) } == ["c", "link", "one", "one/two"])
    #expect(items.map { $0.text("type") } == ["file", "symlink", "directory", "directory"])
    let skipped = try #require(end.members["skipped"] as? [String: Int])
    #expect(skipped["hidden"] == 1 && skipped["excluded"] == 2 && skipped["special"] == 1)
  }

  @Test(.enabled(if: !isRoot)) func aFolderThatMayNotBeListedIsSkippedAndTold() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir closed; touch closed/x open; chmod 0 closed")
    let run = try Tool.run("scan", folder.string)
    #expect(run.status == 0)
    #expect(run.errors.split(separator: "\n").contains { isOneComplaint($0 + "\n") && $0.contains("cannot list") })
    #expect(run.lines.last?.contains("folders that may not be listed: 1") == true)
  }

  @Test func textIsForPeople() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir sub; touch sub/a; ln -s a sub/link; touch .hidden")
    let run = try Tool.run("scan", folder.string)
    var normalized = Normalizer(folder)
    let lines = run.lines.map { normalized($0).replacing(/[0-9]\.[0-9]{3}/, with: "0.000") }
    #expect(
      lines == [
        "U1  directory  /T/sub",
        "U2  file       /T/sub/a",
        "U3  symlink    /T/sub/link",
        "",
        "items: 3, of these folders: 1; seconds: 0.000",
        "tagged: 2; copies given a UUID of their own: 0",
        "skipped: hidden: 1",
      ])
  }

  /// What `id` creates is what the scan would have given.
  @Test func idAndScanAgree() throws {
    let (mine, theirs) = (try ScratchFolder(), try ScratchFolder())
    for folder in [mine, theirs] { folder.shell("touch a; mkdir d") }
    let claimed = try Tool.run("id", "--create", mine["a"], mine["d"]).lines.map { $0.prefix(36) }
    #expect(try scan(mine).items.map(\.uuid) == claimed.map(String.init))
    let scanned = try scan(theirs).items.map(\.uuid)
    #expect(try Tool.run("untag", theirs.string).output == "tags removed: 3\n" || scanned.count == 2)
    #expect(try Tool.run("id", "--create", theirs["a"], theirs["d"]).lines.map { String($0.prefix(36)) } == scanned)
  }
}
