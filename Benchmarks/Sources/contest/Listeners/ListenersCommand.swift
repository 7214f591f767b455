import ArgumentParser

/// How many change sets a second reach many listeners.
struct ListenersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listeners",
    abstract: "How many changes a second reach 1, 10 and 100 listeners, by blocks, by sequences, and from a backlog.")

  @Option(help: "Files that are renamed, one after the other.") var changes = 20_000
  @Option(help: "How often each is measured.") var rounds = 5
  @Option(name: .customLong("in"), help: "Where the trees are made.") var parent = "/var/tmp"

  func run() throws {
    let base = try Folder.makeUnique(in: parent)
    defer { base.remove() }
    let counts = [1, 10, 100]
    let crowds = ListenerKind.allCases.flatMap { kind in counts.map { Crowd(kind, $0) } }
    var samples = crowds.map { _ in (time: Sample(), sets: 0) }
    for round in 0..<rounds {
      for index in crowds.indices.map({ ($0 + round) % crowds.count }) {
        let (time, sets) = try crowds[index].measure(changes, in: base)
        samples[index].time.append(time)
        samples[index].sets += sets
      }
    }
    var table = Table(["listeners", "sets a second, each", "changes a second, each", "changes a second, all"])
    for (crowd, sample) in zip(crowds, samples) {
      let seconds = sample.time.quantile(500).milliseconds / 1_000
      let rates = [Double(sample.sets) / Double(rounds) / seconds, Double(changes) / seconds]
      table.append([crowd.title] + (rates + [rates[1] * Double(crowd.count)]).map { $0.text(0) })
    }
    print("\(changes) renames, until the last listener has been told of all; medians of \(rounds)\n")
    print(table.text)
  }
}
