import ArgumentParser

/// What live lists cost.
struct ListsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lists",
    abstract: "Times of a list of one folder and of one of a whole tree, beside a plain array that is sorted anew.")

  @Option(help: "Rows of the list of one folder.") var rows = 100_000
  @Option(name: .customLong("tree-rows"), help: "Rows of the list of a whole tree; 0 leaves it out.")
  var treeRows = 1_000_000
  @Option(help: "Files that are made between two updates.") var burst = 10_000
  @Option(help: "How often each is measured.") var rounds = 20
  @Option(name: .customLong("in"), help: "Where the trees are made.") var parent = "/var/tmp"

  func run() throws {
    let base = try Folder.makeUnique(in: parent)
    defer { base.remove() }
    print("Milliseconds, medians of \(rounds), but 5 of opening, and one each of order and burst\n")
    var table = Table(["list", "rows", "opening", "insertion", "rename", "order", "burst of \(burst)", "bytes a row"])
    table.append(try ListRace(rows: rows, isDeep: false, in: base).measure(rounds, burst))
    table.append(ArrayRace(rows: rows).measure(rounds, burst))
    if treeRows > 0 {
      table.append(try ListRace(rows: treeRows, isDeep: true, in: base).measure(rounds, burst))
      table.append(ArrayRace(rows: treeRows).measure(1, burst))
    }
    print(table.text)
  }
}
