import ArgumentParser

/// Very many operations at once: who tells of all of them, and when.
struct StormCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storm",
    abstract: "Very many operations as fast as they can be made: what is told right, what is lost, and how soon.",
    discussion: """
      Each watcher is a process that prints what it is told, and has its turn in every round, each time in a new tree. The time is \
      from the first operation, or from when a watcher that stood still goes on, until the last file was named.
      """)

  @Option(help: "Operations of each kind.") var count = 100_000
  @Option(help: "Rounds; times are medians of all, and what is lost is the worst of them.") var rounds = 3
  @Option(name: .customLong("in"), help: "Where the trees are made.") var parent = "/var/tmp"
  @Option(help: "A folder for drawings.") var plots: String?

  func validate() throws {
    guard (1...999_999).contains(count) else { throw ValidationError("--count is between 1 and 999999") }
  }

  func run() throws {
    let base = try Folder.makeUnique(in: parent)
    defer { base.remove() }
    let watchers = try WatcherCommand.tellers().filter(\.isInstalled)
    print("\(count) operations of each kind; medians of \(rounds) rounds\n")
    var table = Table(["what", "watcher", "right", "lost", "mispaired", "until all is told, s", "processors, s"])
    for (index, task) in StormTask.all.enumerated() {
      var race = StormRace(task, watchers, count: count, in: base)
      for number in 0..<rounds { try race.run(startingWith: number) }
      for row in race.rows { table.append(row) }
      if let plots { try race.chart.write(to: "\(plots)/storm-\(index + 1).svg") }
    }
    print(table.text)
  }
}
