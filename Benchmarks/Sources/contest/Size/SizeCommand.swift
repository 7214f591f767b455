import ArgumentParser

/// What a change costs in a small tree and in a large one.
struct SizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "size",
    abstract: "What a change costs in a small tree and in a large one.",
    discussion: "Both are observed in this process at the same time, and have their turns.")

  @Option(help: "Files in the small tree.") var few = 10_000
  @Option(help: "Files in the large tree.") var many = 1_000_000
  @Option(help: "Files that are renamed, one after the other.") var changes = 1_000
  @Option(help: "How often each is measured.") var rounds = 15
  @Option(name: .customLong("in"), help: "Where the trees are made.") var parent = "/var/tmp"

  func run() throws {
    let base = try Folder.makeUnique(in: parent)
    defer { base.remove() }
    let trees = try [few, many].map { try SizedTree(in: base, files: $0, changes: changes) }
    defer { for tree in trees { tree.end() } }
    var table = Table(["operation", "with \(few) files", "with \(many) files", "ratio"])
    for task in SizeTask.all(changes: changes, few: few, many: many) {
      var samples = [Sample(), Sample()]
      for round in 0..<rounds {
        for index in [round % 2, 1 - round % 2] { samples[index].append(try trees[index].time(of: task, round)) }
      }
      let medians = samples.map { $0.quantile(500).milliseconds }
      table.append([task.title] + medians.map { $0.text(2) } + [(medians[1] / medians[0]).text(2)])
    }
    print("Milliseconds from the first operation to the block that tells of the last; medians of \(rounds)\n")
    print(table.text)
  }
}
