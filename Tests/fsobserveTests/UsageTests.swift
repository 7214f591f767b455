import FileTestSupport
import Testing

/// Mistakes on the command line, and failures: one line on standard error, nothing on standard output, the right
/// status.
@Suite(.ownThreads) struct UsageTests {
  /// There is nothing: whatever a mistake is taken for, nothing is scanned and no tag is written.
  private static let nowhere = "/nowhere/at/all"
  private static let anyUUID = "01234567-89ab-cdef-0123-456789abcdef"

  @Test(arguments: [
    ["bogus"], ["scan"], ["watch"], ["id"], ["find"], ["bookmark"], ["resolve"], ["untag"],
    ["untag", "a", "b"], ["resolve", "fsb1:nothing", nowhere], ["bookmark", nowhere, "--format", "jsonl"],
    ["scan", nowhere, "--bogus"], ["watch", nowhere, "--remember", "x"], ["scan", ""], ["id", ""],
    ["scan", nowhere, "--levels", "-1"], ["scan", nowhere, "--levels=-1"], ["scan", nowhere, "--levels", "1.5"],
    ["scan", nowhere, "--levels", "99999999999999999999"], ["scan", nowhere, "--levels", ""],
    ["scan", nowhere, "--levels"],
    ["watch", nowhere, "--settle", "soon"], ["watch", nowhere, "--settle", "nan"], ["watch", nowhere, "--settle=-1"],
    ["watch", nowhere, "--settle", "1e30"], ["watch", nowhere, "--settle", "inf"],
    ["watch", nowhere, "--source", "dtrace"], ["scan", nowhere, "--source", "poll"],
    ["watch", nowhere, "--format", "xml"], ["watch", nowhere, "--exclude", "[a"],
    ["watch", nowhere, "--exclude", "a\\"],
    ["watch", nowhere, "--exclude", ""], ["scan", nowhere, "--include", "#a"], ["scan", nowhere, "--include"],
    ["find", "123", nowhere], ["find", anyUUID + "0", nowhere], ["find", anyUUID],
    ["find", "g1234567-89ab-cdef-0123-456789abcdef", nowhere], ["--bogus"], ["doctor", nowhere, "\u{1b}[31m\nred"],
    ["scann", nowhere], ["help", "nope"], ["\u{1b}[31m\nred"], ["scan", nowhere, "--settle", "-1"],
    ["doctor", nowhere, "--format", "jsonl"],
    ["id", nowhere, "--format", "jsonl"], ["untag", nowhere, "--format", "xml"], ["watch", nowhere, "--timeout", "-1"],
    ["watch", nowhere, "--exec", ""], ["watch", nowhere, "--null", "--format", "jsonl"], ["scan", nowhere, "--once"],
    ["watch", nowhere, "--quiet-period", "4000"], ["watch"],
  ])
  func mistakesAreUsageErrors(_ arguments: [String]) throws {
    let run = try Tool.start(arguments).finish()
    #expect(run.status == 64)
    #expect(isOneComplaint(run.errors), "\(run.errors)")
    #expect(run.output == "")
    #expect(!run.errors.contains("\u{1b}"))
  }

  @Test(arguments: [
    (
      ["scann", nowhere],
      "there is no command 'scann'; did you mean scan? The commands are scan, watch, log, id, find, bookmark, resolve, untag and doctor"
    ),
    (
      ["help", "nope"],
      "there is no command 'nope'. The commands are scan, watch, log, id, find, bookmark, resolve, untag and doctor"
    ),
    (
      ["scan", nowhere, "--levels", "-1"], "The value '-1' is invalid for '--levels <n>': not a whole number from 0 on"
    ),
    (["watch", nowhere, "--settle", "-1"], "The value '-1' is invalid for '--settle <seconds>'"),
    (["scan", nowhere, "--format", "json"], "it must be text or jsonl; did you mean jsonl?"),
    (["doctor", nowhere, "--format", "jsonl"], "it must be text or json; did you mean json?"),
    (["watch", nowhere, "--source", "poll"], "it must be auto, fanotify, inotify or polling; did you mean polling?"),
  ])
  func aMistakeGetsASentenceThatHelps(_ arguments: [String], _ sentence: String) throws {
    let run = try Tool.start(arguments).finish()
    #expect(run.status == 64)
    #expect(run.errors.contains(sentence), "\(run.errors)")
  }

  @Test(arguments: [["scan"], ["watch"], ["untag"], ["find", anyUUID], ["id"], ["bookmark"]])
  func whatIsNotThereIsAFailure(_ command: [String]) throws {
    let folder = try ScratchFolder()
    let run = try Tool.start(command + [folder["missing"]]).finish()
    #expect(run.status == 1)
    #expect(isOneComplaint(run.errors), "\(run.errors)")
    #expect(run.errors.contains("missing"))
    #expect(run.output == "")
  }

  @Test(arguments: [["scan"], ["untag"], ["find", anyUUID]])
  func aFileIsNoFolder(_ command: [String]) throws {
    let folder = try ScratchFolder()
    folder.shell("touch file")
    let run = try Tool.start(command + [folder["file"]]).finish()
    #expect(run.status == 1)
    #expect(isOneComplaint(run.errors), "\(run.errors)")
    #expect(run.output == "")
  }

  @Test(.enabled(if: !isRoot), arguments: [["scan"], ["watch"], ["untag"], ["find", anyUUID]])
  func aFolderThatMayNotBeReadIsAFailure(_ command: [String]) throws {
    let folder = try ScratchFolder()
    folder.shell("mkdir closed; chmod 0 closed")
    let run = try Tool.start(command + [folder["closed"]]).finish()
    #expect(run.status == 1)
    #expect(isOneComplaint(run.errors), "\(run.errors)")
    #expect(run.output == "")
  }

  @Test(arguments: [["scan"], ["watch"], ["untag"], ["find", anyUUID], ["id"], ["bookmark"]])
  func aPathThatIsNotTextIsNamedAsFarAsItIs(_ command: [String]) throws {
    let run = try Tool.start(command, raw: [Array("/missing-".utf8) + [0xe9]]).finish()
    #expect(run.status == 1)
    #expect(isOneComplaint(run.errors), "\(run.errors)")
    #expect(run.errors.contains("/missing-"))
  }

  @Test func helpNamesEveryCommandAndOption() throws {
    let help = try Tool.run("--help")
    #expect(help.status == 0)
    for command in ["scan", "watch", "id", "find", "bookmark", "resolve", "untag", "doctor"] {
      #expect(help.output.contains("\n  \(command) "))
    }
    let options = [
      "--exclude", "--include", "--levels", "--hidden", "--source", "--settle", "--quiet-period", "--no-tag",
      "--format",
      "--relative", "-0, --null", "--progress",
    ]
    for command in ["scan", "watch"] {
      let help = try Tool.run(command, "--help")
      #expect(help.status == 0)
      for option in options { #expect(help.output.contains("\n  \(option)"), "\(command) \(option)") }
    }
    let watch = try Tool.run("watch", "--help").output
    for option in ["--moved-contents", "--once", "--timeout", "--exec", "--wait-for-root"] {
      #expect(watch.contains("\n  \(option)"), "\(option)")
    }
  }

  @Test func versionIsANumber() throws {
    let run = try Tool.run("--version")
    #expect(run.status == 0)
    #expect(run.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }
}
