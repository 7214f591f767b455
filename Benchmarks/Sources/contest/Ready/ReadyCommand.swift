import ArgumentParser
import Foundation
import Glibc

/// From the start of a process until it watches the whole tree, and what that takes.
struct ReadyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ready",
    abstract: "From the start of a process until it watches a whole tree, and the memory it takes.",
    discussion: """
      Each contender is a process of its own, and each has its turn in every round. What the kernel keeps for it (marks, and \
      what they keep in memory) is what its caches lose when it ends; only root can have them emptied.
      """)

  @Option(help: "Folders in the tree, a thousand of them in each folder at the top.") var folders = 50_000
  @Option(help: "Files in each folder.") var files = 0
  @Option(help: "Rounds; the medians of all are told.") var rounds = 5
  @Flag(help: "Takes the tags away before each turn: what is measured is the first scan.") var untagged = false
  @Option(name: .customLong("in"), help: "Where the tree is made.") var parent = "/var/tmp"
  @Option(help: "A folder for drawings.") var plots: String?

  func run() throws {
    let base = try Folder.makeUnique(in: parent)
    defer { base.remove() }
    try makeTree(base)
    let contenders = try WatcherCommand.all(writesTags: untagged).filter(\.isInstalled)
    var race = ReadyRace(contenders: contenders, folder: base, items: folders * (files + 1), isUntagged: untagged)
    // The first round tags all that is there, and finds out who can do it at all.
    try race.warmUp()
    for number in 0..<rounds { try race.run(startingWith: number) }
    let kind = untagged ? "files without tags" : "files"
    print("\(folders) folders with \(files) \(kind) each; medians of \(rounds) rounds\n")
    print(race.table.text)
    for refusal in race.refusals { print("\n\(refusal)") }
    if let plots { try draw(race, kind, in: plots) }
  }

  private func draw(_ race: ReadyRace, _ kind: String, in place: String) throws {
    let charts = race.charts("\(folders) folders, \(files) \(kind) each")
    let name = "\(place)/ready-\(folders)x\(files)\(untagged ? "-untagged" : "")"
    try charts.time.write(to: "\(name).svg")
    if !untagged { try charts.memory.write(to: "\(name)-memory.svg") }
  }

  private func makeTree(_ base: Folder) throws {
    for number in 0..<folders {
      let top = "t\(number / 1_000)"
      if number % 1_000 == 0 { try base.mkdir(top) } else { try base.mkdir("\(top)/f\(number)") }
      let name = number % 1_000 == 0 ? top : "\(top)/f\(number)"
      for file in 0..<files { try base.write("\(name)/\(file).txt", "") }
    }
  }
}
