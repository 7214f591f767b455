import ArgumentParser

/// What a new file takes: until it is told, and of the processors.
struct ArrivalsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "arrivals",
    abstract: "Very many new files: how soon they are told, and what each takes of the processors.",
    discussion: """
      Each watcher is a process that prints what it is told, and has its turn in every round, each time in a new tree. Files are \
      counted when they are finished, not when they begin to be written. Processor time is that of the watcher: first until the \
      last file is told, then until it has rested, for this library writes its tags after the burst.
      """)

  @Option(help: "Files that are made, a thousand in each folder.") var made = 100_000
  @Option(help: "Files that are copied.") var copied = 20_000
  @Option(help: "Rounds; all figures are medians.") var rounds = 3
  @Option(help: "Seconds for which a watcher may rest in the end.") var rest: UInt32 = 7
  @Option(name: .customLong("in"), help: "Where the trees are made.") var parent = "/var/tmp"

  func validate() throws {
    guard [made, copied].allSatisfy((1...999_999).contains) else {
      throw ValidationError("--made and --copied are between 1 and 999999")
    }
  }

  func run() throws {
    let base = try Folder.makeUnique(in: parent)
    defer { base.remove() }
    let watchers = try WatcherCommand.tellers().filter(\.isInstalled)
    print("\(made) files are made, \(copied) are copied; medians of \(rounds) rounds\n")
    var table = Table([
      "what", "watcher", "lost", "done, s", "all told, s", "processor a file, µs", "in the kernel", "after a rest",
      "in the kernel",
    ])
    for (task, count) in [(StormTask.made, made), (.copied, copied)] {
      var race = ArrivalsRace(task, watchers, count: count, rest: rest, in: base)
      for number in 0..<rounds { try race.run(startingWith: number) }
      for row in race.rows { table.append(row) }
    }
    print(table.text)
  }
}
