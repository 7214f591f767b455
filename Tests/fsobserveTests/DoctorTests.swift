import FileTestSupport
import Glibc
import Testing

/// `doctor`: what it finds, says and recommends.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct DoctorTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.shell("mkdir -p in/sub .hidden; echo a > in/a; echo b > in/sub/b; echo c > in/.c")
  }

  private func report(_ options: String...) throws -> (run: ToolRun, report: JSONLine) {
    let run = try Tool.start(["doctor", folder["in"], "--format", "json"] + options).finish()
    return (run, try JSONLine(try #require(run.lines.first)))
  }

  @Test func aHealthyFolderNeedsNothing() throws {
    let (run, report) = try report()
    #expect((run.status == 0) == report.areLimitsEnough && run.errors == "" && run.lines.count == 1)
    #expect(report.members["needsAttention"] as? Bool == !report.areLimitsEnough)
    #expect(report.number("folders") == 2 && report.number("files") == 2 && report.number("tagged") == 0)
    #expect(report.path == folder["in"])
    #expect(report.text("kernel").hasPrefix("Linux "))
    let systems = try #require(report.members["fileSystems"] as? [[String: Any]])
    let system = try #require(systems.first)
    #expect(systems.count == 1)
    #expect(["inotify", "fanotify", "polling"].contains(system["source"] as? String ?? ""))
    #expect(system["tags"] as? Bool == true && system["birthTimes"] as? Bool == true)
    #expect(system["leases"] as? Bool == true)
    #expect(report.limits.contains { $0["name"] as? String == "processDescriptors" && $0["enough"] as? Bool == true })
  }

  @Test func nothingIsChanged() throws {
    let before = Shell.run("cd \"$0\" && find . -printf '%p %i %C@ %s\\n'; getfattr -d -R . 2>/dev/null", folder.string)
    _ = try report("--hidden")
    let after = Shell.run("cd \"$0\" && find . -printf '%p %i %C@ %s\\n'; getfattr -d -R . 2>/dev/null", folder.string)
    #expect(before.output == after.output && before.output.contains("in/a"))
  }

  @Test func hiddenItemsCountWhereTheyAreWanted() throws {
    #expect(try report("--hidden").report.number("files") == 3)
  }

  @Test func tagsThatAreThereAreCounted() throws {
    _ = try Tool.run("scan", folder["in"])
    #expect(try report().report.number("tagged") == 4)
  }

  @Test(.enabled(if: !isRoot, "root may do everything"))
  func whatMayNotBeReadOrWrittenIsNamed() throws {
    folder.shell("chmod 444 in/a; chmod 000 in/sub")
    let (run, report) = try report()
    #expect(run.status == 1)
    #expect(report.number("unreadableFolders") == 1 && report.text("unreadableFolder") == folder["in/sub"])
    let untaggable = try #require(report.members["untaggable"] as? [[String: Any]])
    let files = untaggable.first { $0["reason"] as? String == "tagNotPermitted" }
    #expect(files?["path"] as? String == folder["in/a"] || (files?["count"] as? Int ?? 0) > 1)
    let page = try Tool.run("doctor", folder["in"])
    #expect(page.status == 1)
    #expect(page.output.contains("What to do") && page.output.contains("chmod u+rx"))
  }

  @Test(.enabled(if: isRoot, "needs root: chattr +i"))
  func immutableFilesAreNamed() throws {
    let made = Shell.run("chattr +i \"$0\"", folder["in/a"])
    try #require(made.status == 0, "\(made.errors)")
    defer { _ = Shell.run("chattr -i \"$0\"", folder["in/a"]) }
    let (run, report) = try report()
    #expect(run.status == 1)
    let untaggable = try #require(report.members["untaggable"] as? [[String: Any]])
    #expect(untaggable.first?["path"] as? String == folder["in/a"])
    #expect(untaggable.first?["reason"] as? String == "tagNotPermitted")
  }

  @Test func thePageIsForPeople() throws {
    let run = try Tool.run("doctor", folder["in"])
    #expect(run.lines.first == folder["in"])
    #expect(run.output.contains("2 folders and 2 files, 0 of them tagged"))
    // Observers of other tests may have all that the kernel grants this user.
    let isEnough = !run.output.contains("NOT ENOUGH")
    #expect((run.status == 0) == isEnough)
    #expect(run.output.hasSuffix("Nothing needs to be done.\n") == isEnough)
    #expect(run.output.contains("What to do") == !isEnough)
  }

  @Test func whatIsNoFolderIsAFailure() throws {
    for name in ["missing", "in/a"] {
      let run = try Tool.run("doctor", folder[name])
      #expect(run.status == 1 && isOneComplaint(run.errors) && run.output == "")
    }
  }
}
