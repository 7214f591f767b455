import FileTestSupport
import Glibc
import Testing

/// `bookmark` and `resolve`.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct BookmarkCommandTests {
  private func bookmark(_ path: String, _ options: String...) throws -> String {
    let run = try Tool.start(["bookmark", path] + options).finish()
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    return try #require(run.lines.first)
  }

  @Test func aBookmarkLeadsToItsFile() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir a b; echo text > a/letter")
    let bookmark = try bookmark(folder["a/letter"])
    #expect(bookmark.hasPrefix("fsb1:ft:") && !bookmark.contains(" "))
    #expect(try Tool.run("resolve", bookmark).output == folder["a/letter"] + "\n")
    folder.shell("mv a/letter b/note; cp b/note a/letter")
    let run = try Tool.run("resolve", bookmark, folder["a"], folder["b"])
    #expect(run.status == 0 && run.output == folder["b/note"] + "\n" && run.errors == "")
  }

  @Test func oneLineForEachFile() throws {
    let folder = try ScratchFolder()
    folder.shell("touch a b; mkfifo fifo; ln -s a link")
    let run = try Tool.run("bookmark", folder["a"], folder["missing"], folder["b"], folder["link"])
    #expect(run.status == 1 && run.lines.count == 3)
    #expect(isOneComplaint(run.errors) && run.errors.contains("missing"))
    let fifo = try Tool.run("bookmark", folder["fifo"])
    #expect(fifo.status == 1 && fifo.output == "" && isOneComplaint(fifo.errors))
    folder.shell("getfattr -n user.fsobserver.uuid a b")
  }

  @Test func noTagIsWrittenIfNoneIsWanted() throws {
    let folder = try ScratchFolder()
    folder.shell("touch a")
    let bookmark = try bookmark(folder["a"], "--no-tag")
    #expect(bookmark.hasPrefix("fsb1:fi:"))
    folder.shell("! getfattr -n user.fsobserver.uuid a; mv a c")
    #expect(try Tool.run("resolve", bookmark, folder.string).output == folder["c"] + "\n")
  }

  /// A relative path, also one above a symbolic link, is the one that the kernel knows.
  @Test func aRelativePathBecomesAbsolute() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir -p a/deep; touch a/file; ln -s a/deep link")
    let run = Shell.run("cd \"$0\" && \"$1\" bookmark a/file link/../file ./a --format json", folder.string, Tool.path)
    #expect(run.status == 0)
    let paths = try run.lines.map { try JSONLine($0).path }
    #expect(paths == [folder["a/file"], folder["a/file"], folder["a"]])
    let found = Shell.run(
      "cd \"$0\" && B=$(\"$1\" bookmark a/file) && mv a/file a/deep/x && \"$1\" resolve $B a", folder.string, Tool.path)
    #expect(found.output == folder["a/deep/x"] + "\n", "\(found.errors)")
  }

  @Test func itAnswersInJSON() throws {
    let folder = try ScratchFolder()
    folder.shell("touch 'a file'")
    let line = try JSONLine(try bookmark(folder["a file"], "--format", "json"))
    #expect(line.path == folder["a file"] && line.text("identity") == "tag")
    folder.shell("mv 'a file' b")
    let bookmark = line.text("bookmark")
    let found = try JSONLine(
      try #require(try Tool.run("resolve", bookmark, folder.string, "--format", "json").lines.first))
    #expect(found.path == folder["b"] && found.uuid == line.uuid && found.members["isStale"] as? Bool == true)
    let evidence = try #require(found.members["evidence"] as? [String])
    #expect(Set(evidence).isSuperset(of: ["inode", "tag"]))
    let renewed = try JSONLine(
      try #require(try Tool.run("resolve", found.text("bookmark"), "--format", "json").lines.first))
    #expect(renewed.path == folder["b"] && renewed.members["isStale"] as? Bool == false)
    #expect(renewed.text("bookmark") == found.text("bookmark"))
  }

  @Test func aNameThatIsNotText() throws {
    let folder = try ScratchFolder()
    folder.shell("touch $'caf\\xe9\\n'")
    let raw = Array(folder["caf"].utf8) + [0xe9, 0x0a]
    let bookmark = try #require(try Tool.run("bookmark", raw: [raw]).lines.first)
    #expect(bookmark.contains("/caf%e9%0a:"))
    let found = try Tool.run("resolve", bookmark, "--format", "json").lines
    #expect(try JSONLine(try #require(found.first)).pathBytes == raw)
  }

  @Test func whatIsNotFoundIsAFailure() throws {
    let folder = try ScratchFolder()
    folder.shell("touch a")
    let bookmark = try bookmark(folder["a"])
    folder.shell("rm a")
    let run = try Tool.run("resolve", bookmark, folder.string)
    #expect(run.status == 1 && run.output == "")
    #expect(isOneComplaint(run.errors) && run.errors.contains("was not found"))
    folder.shell("echo other > a; setfattr -n user.fsobserver.uuid -v 01234567-89ab-cdef-0123-456789abcdef a")
    #expect(try Tool.run("resolve", bookmark, folder.string).errors.contains("another is there now"))
  }

  @Test func whichOfTwoCopiesIsNotGuessed() throws {
    let folder = try ScratchFolder()
    folder.shell("touch a")
    let bookmark = try bookmark(folder["a"])
    folder.shell("cp -a a b; sleep 0.05; cp -a a c; rm a")
    let run = try Tool.run("resolve", bookmark, folder.string)
    #expect(run.status == 1 && run.output == "" && isOneComplaint(run.errors))
    #expect(run.errors.contains("\(folder["b"]), \(folder["c"]), and nothing tells which"))
  }

  @Test func aMangledBookmarkIsAMistake() throws {
    let folder = try ScratchFolder()
    folder.shell("touch a")
    let bookmark = try bookmark(folder["a"])
    for mangled in [bookmark + "0", String(bookmark.dropLast()), "x", "fsb2:a:b"] {
      let run = try Tool.run("resolve", mangled, folder.string)
      #expect(run.status == 64 && run.output == "" && isOneComplaint(run.errors), "\(run.errors)")
    }
  }

  /// Even root without the capabilities that make up for permissions.
  @Test func aFolderThatMayNotBeReadIsNamed() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir a b; touch a/letter")
    let bookmark = try bookmark(folder["a/letter"])
    folder.shell("cp -a a/letter b/copy; chmod 0 a")
    defer { folder.shell("chmod 700 a") }
    let without = isRoot ? "setpriv --bounding-set -dac_override,-dac_read_search " : ""
    let run = Shell.run("\(without)\"$1\" resolve \"$2\" \"$0\"/b", folder.string, Tool.path, bookmark)
    #expect(run.status == 1 && run.output == "", "\(run.output)")
    #expect(isOneComplaint(run.errors) && run.errors.contains("permission denied"), "\(run.errors)")
    folder.shell("chmod 700 a; mv a/letter b/letter; chmod 0 a")
    let found = Shell.run("\(without)\"$1\" resolve \"$2\" \"$0\"/b", folder.string, Tool.path, bookmark)
    #expect(found.output == folder["b/letter"] + "\n", "\(found.errors)")
    folder.shell("rm b/letter; chmod 700 a; mv b a/; rm a/b/copy; chmod 0 a/b")
    let missing = Shell.run("\(without)\"$1\" resolve \"$2\" \"$0\"", folder.string, Tool.path, bookmark)
    #expect(missing.status == 1 && missing.errors.contains("a/b could not be searched"), "\(missing.errors)")
    folder.shell("chmod 700 a/b")
  }

  #if Store
  @Test func aStoreIsAsked() throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir tree tree/sub; touch tree/letter")
    let bookmark = try bookmark(folder["tree/letter"])
    let store = folder["store"]
    #expect(try Tool.run("scan", folder["tree"], "--store", store).status == 0)
    folder.shell("mv tree/letter tree/sub/note")
    #expect(try Tool.run("resolve", bookmark, "--store", store).output == folder["tree/sub/note"] + "\n")
    let missing = try Tool.run("resolve", bookmark, "--store", folder["none"])
    #expect(isRoot || missing.status == 1 && missing.errors.contains("there is no store"))
  }
  #endif
}
