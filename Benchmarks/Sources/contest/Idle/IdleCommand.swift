import ArgumentParser
import Foundation

/// How often a watcher wakes while nothing happens.
struct IdleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "idle",
    abstract: "How often a watcher wakes, and what it takes of the processors, while nothing happens in its tree.",
    discussion: "All of them run at the same time, each in a tree of its own.")

  @Option(help: "Seconds.") var seconds: UInt32 = 60
  @Option(help: "Files that a program writes each second beside the trees, on the same file system.")
  var beside = 0
  @Option(help: "Files in each tree.") var files = 10_000
  @Option(name: .customLong("in"), help: "Where the trees are made.") var parent = "/var/tmp"

  func run() throws {
    let base = try Folder.makeUnique(in: parent)
    defer { base.remove() }
    let commands = try WatcherCommand.tellers().filter(\.isInstalled)
    let watchers = try commands.indices.map { index in
      try base.mkdir("\(index)")
      let folder = base.appending("\(index)")
      for number in 0..<files { try folder.write("\(number).txt", "") }
      return try RunningWatcher(commands[index], in: folder)
    }
    // What the trees were made with is told by then.
    sleep(5)
    let neighbor = beside > 0 ? try BusyNeighbor(in: base, filesPerSecond: beside) : nil
    defer { neighbor?.end() }
    let before = watchers.map(\.family)
    sleep(seconds)
    var table = Table(["watcher", "wakes", "processors, s"])
    for (command, (watcher, before)) in zip(commands, zip(watchers, before)) {
      let after = watcher.family
      let time = (after.processorTime - before.processorTime).milliseconds / 1_000
      table.append([command.name, "\(after.wakes - before.wakes)", time.text(2)])
    }
    let event = beside > 0 ? "\(beside) files a second are written beside the trees" : "nothing happens"
    print("\(seconds) seconds in which \(event), \(files) files in each tree\n")
    print(table.text)
  }
}
