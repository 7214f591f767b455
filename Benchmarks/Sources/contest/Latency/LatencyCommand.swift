import ArgumentParser
import Glibc

/// From the call of an operation to the block, line or event that tells of it.
struct LatencyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "latency",
    abstract: "From an operation to the block, line or event that tells of it: median, p99, p99.9.",
    discussion: """
      Operations whose meaning is known at once come first; those below the line are told when it is known what they were, \
      by design half a second (gone, or back?) or 0.7 s (complete?) later. The other contenders tell the bare event there.
      """)

  @Option(help: "Operations of each kind that is told at once.") var rounds = 2_000
  @Option(help: "Operations of each kind that is told later.") var doubtful = 100
  @Option(help: "Files in the tree.") var files = 10_000
  @Option(help: "Pause between two operations, in microseconds.") var pause = 2_000
  @Option(name: .customLong("in"), help: "Where the trees are made.") var parent = "/var/tmp"

  func run() throws {
    var contenders: [any Contender] = [Observer(), BareInotify()]
    if InotifyWait.isInstalled {
      contenders.insert(InotifyWait(), at: 1)
    } else {
      print("inotifywait is not installed")
    }
    let base = try Folder.makeUnique(in: parent)
    defer { base.remove() }
    let tasks = LatencyTask.certain(files: min(1_000, files)) + LatencyTask.doubtful
    let folders = try contenders.indices.map { try makeTree(base, "\($0)", tasks) }
    for (contender, folder) in zip(contenders, folders) { try contender.begin(in: folder) }
    defer { for contender in contenders { contender.end() } }
    let race = LatencyRace(contenders: contenders, folders: folders, pause: pause)
    print("\(files) files in each tree; milliseconds\n")
    try report(tasks.filter { !$0.isDoubtful }, race, rounds)
    print("\nTold when it is known what it was:\n")
    try report(tasks.filter(\.isDoubtful), race, doubtful)
  }

  private func makeTree(_ base: Folder, _ name: String, _ tasks: [LatencyTask]) throws -> Folder {
    try base.mkdir(name)
    let folder = base.appending(name)
    for number in 0..<files {
      if number % 100 == 0 { try folder.mkdir("s\(number / 100)") }
      try folder.write("s\(number / 100)/\(number).txt")
    }
    for task in tasks { try task.prepare(folder, task.isDoubtful ? doubtful : rounds) }
    return folder
  }

  private func report(_ tasks: [LatencyTask], _ race: LatencyRace, _ count: Int) throws {
    var table = Table(["operation", "times", "told by", "median", "p99", "p99.9"])
    for task in tasks {
      for (contender, sample) in zip(race.contenders, try race.run(task, count)) {
        let times = [500, 990, 999].map { sample.quantile($0).milliseconds.text(3) }
        table.append([task.title, "\(sample.count)", contender.name] + times)
      }
    }
    print(table.text)
    fflush(nil)
  }
}
