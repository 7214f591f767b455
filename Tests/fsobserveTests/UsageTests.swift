import Testing

/// Mistakes on the command line, and failures: one line on standard error, nothing on standard output, the right status.
@Suite(.ownThreads) struct UsageTests {
  private static let anyUUID = "01234567-89ab-cdef-0123-456789abcdef"

  @Test(arguments: [
    ["bogus"], ["scan"], ["watch"], ["id"], ["find"], ["untag"], ["scan", "a", "b"], ["untag", "a", "b"],
    ["scan", "/", "--bogus"], ["watch", "/", "--store", "x"], ["scan", ""], ["id", ""],
    ["scan", "/", "--levels", "-1"], ["scan", "/", "--levels=-1"], ["scan", "/", "--levels", "1.5"],
    ["scan", "/", "--levels", "99999999999999999999"], ["scan", "/", "--levels", ""], ["scan", "/", "--levels"],
    ["watch", "/", "--settle", "soon"], ["watch", "/", "--settle", "nan"], ["watch", "/", "--settle=-1"],
    ["watch", "/", "--settle", "1e30"], ["watch", "/", "--settle", "inf"],
    ["watch", "/", "--source", "dtrace"], ["scan", "/", "--source", "poll"],
    ["watch", "/", "--format", "xml"], ["watch", "/", "--exclude", "[a"], ["watch", "/", "--exclude", "a\\"],
    ["watch", "/", "--exclude", ""], ["scan", "/", "--include", "#a"], ["scan", "/", "--include"],
    ["find", "123", "/"], ["find", anyUUID + "0", "/"], ["find", anyUUID],
    ["find", "g1234567-89ab-cdef-0123-456789abcdef", "/"], ["--bogus"], ["scan", "/", "\u{1b}[31m\nred"],
    ["scann", "/"], ["help", "nope"], ["\u{1b}[31m\nred"], ["scan", "/", "--settle", "-1"],
    ["doctor", "/", "--format", "jsonl"],
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
      ["scann", "/"],
      "there is no command 'scann'; did you mean scan? The commands are scan, watch, id, find, untag and doctor"
    ),
    (["help", "nope"], "there is no command 'nope'. The commands are scan, watch, id, find, untag and doctor"),
    (["scan", "/", "--levels", "-1"], "The value '-1' is invalid for '--levels <n>': not a whole number from 0 on"),
    (["watch", "/", "--settle", "-1"], "The value '-1' is invalid for '--settle <seconds>'"),
    (["scan", "/", "--format", "json"], "it must be text or jsonl; did you mean jsonl?"),
    (["doctor", "/", "--format", "jsonl"], "it must be text or json; did you mean json?"),
    (["watch", "/", "--source", "poll"], "it must be auto, fanotify, inotify or polling; did you mean polling?"),
  ])
  func aMistakeGetsASentenceThatHelps(_ arguments: [String], _ sentence: String) throws {
    let run = try Tool.start(arguments).finish()
    #expect(run.status == 64)
    #expect(run.errors.contains(sentence), "\(run.errors)")
  }

  /// Shells complete paths where paths are wanted, and folders where only those are.
  @Test func completionsKnowPathsAndWords() throws {
    let script = try Tool.run("--generate-completion-script", "fish")
    #expect(script.status == 0)
    let lines = script.output.split(separator: "\n")
    for command in ["scan", "watch", "untag", "doctor", "find"] {
      #expect(lines.contains { $0.contains(" \(command)\"") && $0.contains("_directories") }, "\(command)")
    }
    #expect(lines.contains { $0.contains(" id\"") && $0.contains("-F") })
    #expect(lines.contains { $0.contains("-l 'format'") && $0.contains("jsonl") })
  }

  @Test(arguments: [["scan"], ["watch"], ["untag"], ["find", anyUUID], ["id"]])
  func whatIsNotThereIsAFailure(_ command: [String]) throws {
    let folder = try TemporaryFolder()
    let run = try Tool.start(command + [folder["missing"]]).finish()
    #expect(run.status == 1)
    #expect(isOneComplaint(run.errors), "\(run.errors)")
    #expect(run.errors.contains("missing"))
    #expect(run.output == "")
  }

  @Test(arguments: [["scan"], ["watch"], ["untag"], ["find", anyUUID]])
  func aFileIsNoFolder(_ command: [String]) throws {
    let folder = try TemporaryFolder()
    folder.shell("touch file")
    let run = try Tool.start(command + [folder["file"]]).finish()
    #expect(run.status == 1)
    #expect(isOneComplaint(run.errors), "\(run.errors)")
    #expect(run.output == "")
  }

  @Test(.enabled(if: !isRoot), arguments: [["scan"], ["watch"], ["untag"], ["find", anyUUID]])
  func aFolderThatMayNotBeReadIsAFailure(_ command: [String]) throws {
    let folder = try TemporaryFolder()
    folder.shell("mkdir closed; chmod 0 closed")
    let run = try Tool.start(command + [folder["closed"]]).finish()
    #expect(run.status == 1)
    #expect(isOneComplaint(run.errors), "\(run.errors)")
    #expect(run.output == "")
  }

  @Test(arguments: [["scan"], ["watch"], ["untag"], ["find", anyUUID], ["id"]])
  func aPathThatIsNotTextIsNamedAsFarAsItIs(_ command: [String]) throws {
    let run = try Tool.start(command, raw: [Array("/missing-".utf8) + [0xe9]]).finish()
    #expect(run.status == 1)
    #expect(isOneComplaint(run.errors), "\(run.errors)")
    #expect(run.errors.contains("/missing-"))
  }

  @Test func helpNamesEveryCommandAndOption() throws {
    let help = try Tool.run("--help")
    #expect(help.status == 0)
    for command in ["scan", "watch", "id", "find", "untag", "doctor"] {
      #expect(help.output.contains("\n  \(command) "))
    }
    let options = ["--exclude", "--include", "--levels", "--hidden", "--source", "--settle", "--no-tag", "--format"]
    for command in ["scan", "watch"] {
      let help = try Tool.run(command, "--help")
      #expect(help.status == 0)
      for option in options { #expect(help.output.contains("\n  \(option)"), "\(command) \(option)") }
    }
  }

  @Test func versionIsANumber() throws {
    let run = try Tool.run("--version")
    #expect(run.status == 0)
    #expect(run.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }
}
