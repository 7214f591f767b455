import FileIdentity
import FileTestSupport
import Testing

/// `id`, `find` and `untag`: the commands that read and write tags without an observer.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct TagCommandTests {
  private func uuid(_ path: String) throws -> String {
    try #require(Tool.run("id", path).output.split(separator: " ").first.map(String.init))
  }

  @Test func idSaysWhatIsMissing() throws {
    let folder = try ScratchFolder()
    folder.shell("mkfifo fifo")
    for name in ["fifo", "missing"] {
      let run = try Tool.run("id", folder[name])
      #expect(run.status == 1)
      #expect(run.output == "")
      #expect(isOneComplaint(run.errors) && run.errors.contains(name))
    }
  }

  @Test func createClaimsOnceAndNeverOverwrites() throws {
    let folder = try ScratchFolder()
    let given = "01234567-89ab-cdef-0123-456789abcdef"
    folder.shell("touch new tagged; mkdir folder; setfattr -n user.fsobserver.uuid -v \(given.uppercased()) tagged")
    let first = try Tool.run("id", "--create", folder["new"], folder["tagged"], folder["folder"])
    #expect(first.status == 0)
    #expect(first.lines[1] == "\(given)  \(folder["tagged"])")
    let uuids = first.lines.map { $0.prefix(36) }
    #expect(Set(uuids).count == 3)
    #expect(uuids.allSatisfy { UUIDBits(text: Array($0.utf8).span) != nil })
    let second = try Tool.run("id", folder["new"], folder["tagged"], folder["folder"])
    #expect(second.output == first.output)
  }

  @Test func aTagThatIsNoUUIDIsLeftAlone() throws {
    let folder = try ScratchFolder()
    folder.shell("touch file; setfattr -n user.fsobserver.uuid -v nonsense file")
    let run = try Tool.run("id", "--create", folder["file"])
    #expect(run.status == 1)
    #expect(isOneComplaint(run.errors))
    folder.shell("test \"$(getfattr --only-values -n user.fsobserver.uuid file)\" = nonsense")
  }

  @Test func someFailingPathsDoNotHideTheOthers() throws {
    let folder = try ScratchFolder()
    folder.shell("touch a b")
    let run = try Tool.run("id", "--create", folder["a"], folder["missing"], folder["b"])
    #expect(run.status == 1)
    #expect(run.lines.count == 2)
    #expect(isOneComplaint(run.errors))
  }

  /// What a link points at is not tagged in its stead.
  @Test func createSaysWhatCanBearNoTag() throws {
    let folder = try ScratchFolder()
    folder.shell("touch plain; ln -s plain link")
    let run = try Tool.run("id", "--create", folder["link"])
    #expect(run.status == 1)
    #expect(isOneComplaint(run.errors) && run.errors.contains("symbolic link"))
    folder.shell("! getfattr -n user.fsobserver.uuid plain")
  }

  /// Two names of a file; a copy has another UUID, as the next scan would tell it.
  @Test func findPrintsEveryPathAndOnlyThose() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir -p a/.hidden; echo x > a/file; touch a/other; mkfifo a/fifo; ln -s file a/link")
    _ = try Tool.run("id", "--create", folder["a/file"], folder["a/other"])
    let uuid = try uuid(folder["a/file"])
    folder.shell("cp -a a/file a/.hidden/copy; ln a/file hardlink")
    let run = try Tool.run("find", uuid.uppercased(), folder.string)
    #expect(run.status == 0)
    #expect(run.lines.sorted() == ["a/file", "hardlink"].map { folder[$0] })
    #expect(run.errors == "")
  }

  @Test func findFailsWhereThereIsNone() throws {
    let folder = try ScratchFolder()
    folder.shell("touch file")
    let run = try Tool.run("find", "01234567-89ab-cdef-0123-456789abcdef", folder.string)
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(isOneComplaint(run.errors))
  }

  @Test func untagRemovesAllTagsAndNothingElse() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir -p in/sub out; touch in/a in/sub/b in/.c out/d; ln -s ../out in/link; mkfifo in/fifo")
    folder.shell("setfattr -n user.other -v kept in/a; chmod 640 in/a; touch -d 2001-01-01 in/a")
    let files = ["in", "in/sub", "in/a", "in/sub/b", "in/.c", "out", "out/d"].map { folder[$0] }
    #expect(try Tool.start(["id", "--create"] + files).finish().status == 0)
    let run = try Tool.run("untag", folder["in"])
    #expect(run.status == 0)
    #expect(run.output == "tags removed: 5\n")
    folder.shell(
      "test \"$(getfattr -R -P -h -n user.fsobserver.uuid . 2> /dev/null | grep '^# file' | sort | tr -d '\\n')\" = '# file: out# file: out/d'"
    )
    folder.shell("test \"$(getfattr --only-values -n user.other in/a)\" = kept")
    folder.shell("test \"$(stat -c '%a %Y' in/a)\" = \"640 $(date -d 2001-01-01 +%s)\"")
    #expect(try Tool.run("untag", folder["in"]).output == "tags removed: 0\n")
  }

  @Test(.enabled(if: !isRoot)) func untagSaysWhatItCouldNotDo() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir closed; touch closed/a b")
    _ = try Tool.run("id", "--create", folder["b"])
    folder.shell("chmod 0 closed")
    let run = try Tool.run("untag", folder.string)
    #expect(run.status == 1)
    #expect(run.output == "tags removed: 1\n")
    #expect(isOneComplaint(run.errors) && run.errors.contains("closed"))
  }

  @Test func aNameThatIsNotTextIsFoundAndPrintedOnOneLine() throws {
    let folder = try ScratchFolder()
    folder.shell("touch $'caf\\xe9\\n\\e[1m\\\\'")
    let raw = Array(folder["caf"].utf8) + [0xe9, 0x0a] + Array("\u{1b}[1m\\".utf8)
    let run = try Tool.run("id", "--create", raw: [raw])
    #expect(run.status == 0)
    #expect(run.lines.map { $0.dropFirst(38) } == [folder[#"caf\xe9\n\u{1B}[1m\\"#][...]])
  }

  @Test func aDeepTreeIsWalkedToItsEnd() throws {
    let folder = try ScratchFolder()
    folder.shell("deep=$(printf 'd/%.0s' {1..600}); mkdir -p $deep; setfattr -n user.fsobserver.uuid -v nonsense $deep")
    #expect(try Tool.run("untag", folder.string).output == "tags removed: 1\n")
  }
}

/// `id`, `find` and `untag` for programs.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct AnswerFormatTests {
  @Test func eachAnswersInJSON() throws {
    let folder = try ScratchFolder()
    folder.shell("touch a b")
    let claimed = try Tool.run("id", "--create", "--format", "json", folder["a"])
    let line = try JSONLine(try #require(claimed.lines.first))
    #expect(line.path == folder["a"] && line.text("identity") == "tag" && claimed.lines.count == 1)
    let computed = try JSONLine(try #require(try Tool.run("id", "--format", "json", folder["b"]).lines.first))
    #expect(computed.text("identity") == "inode")
    let found = try Tool.run("find", line.uuid, folder.string, "--format", "json")
    #expect(found.lines == ["{\"uuid\":\"\(line.uuid)\",\"path\":\"\(folder["a"])\"}"])
    #expect(try Tool.run("untag", folder.string, "--format", "json").lines == ["{\"removed\":1,\"failed\":0}"])
  }
}
