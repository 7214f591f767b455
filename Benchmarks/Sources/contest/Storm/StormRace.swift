import Glibc

/// Lets watchers, each a process of its own, tell of a storm in turns; each has a new tree.
///
/// No tree is removed before all is over: an ext4 without a journal passes over the inodes that were removed in the
/// last minutes, one by one for each new file (`recently_deleted` in fs/ext4/ialloc.c), so that who came second would
/// wait for the disk ten times as long.
struct StormRace {
  private struct Figures {
    /// The worst of all rounds.
    var lost = 0
    var mispaired = 0
    var times = Sample()
    var processor = Sample()
    /// Whether it ended by itself: then nobody knows what it took.
    var hasEnded = false

    mutating func note(_ names: ToldNames, _ time: Duration, _ processor: Duration?) {
      lost = max(lost, names.missing)
      mispaired = max(mispaired, names.mispaired)
      times.append(time)
      if let processor { self.processor.append(processor) } else { hasEnded = true }
    }

    func cells(of count: Int) -> [String] {
      ["\(count - lost)", "\(lost)", "\(mispaired)", seconds(times), hasEnded ? "ended" : seconds(processor)]
    }

    private func seconds(_ sample: Sample) -> String { (sample.quantile(500).milliseconds / 1_000).text(2) }
  }

  /// So long nothing may be told until the rest counts as lost, in milliseconds.
  private static let patience: Int32 = 10_000

  let task: StormTask
  let watchers: [WatcherCommand]
  let count: Int
  let parent: Folder
  private var figures: [String: Figures] = [:]

  init(_ task: StormTask, _ watchers: [WatcherCommand], count: Int, in parent: Folder) {
    self.task = task
    self.watchers = watchers
    self.count = count
    self.parent = parent
  }

  /// One round; each begins with another watcher.
  mutating func run(startingWith number: Int) throws {
    for index in watchers.indices { try measure(watchers[(index + number) % watchers.count]) }
  }

  private mutating func measure(_ command: WatcherCommand) throws {
    let folder = try Folder.makeUnique(in: parent.path)
    try task.prepare(folder, count)
    let watcher = try RunningWatcher(command, in: folder)
    defer { watcher.end() }
    let before = watcher.family.processorTime
    var names = ToldNames(task.letter, count: count)
    let time = try follow(&names, of: watcher, in: folder)
    let after = watcher.family.processorTime
    figures[command.name, default: Figures()].note(names, time, after < before ? nil : after - before)
  }

  /// Does it, and reads what is told of it; how long that took.
  private func follow(_ names: inout ToldNames, of watcher: RunningWatcher, in folder: Folder) throws -> Duration {
    let storm = Storm(task, folder, count)
    if task.stopsWatcher {
      watcher.send(SIGSTOP)
      try storm.run()
      watcher.send(SIGCONT)
    } else {
      storm.begin()
    }
    let begin = Moment.now
    var last = begin
    while !names.isComplete {
      guard let bytes = watcher.read(within: Self.patience) else {
        if storm.isRunning { continue } else { break }
      }
      let count = names.count
      names.take(bytes)
      if names.count > count { last = .now }
    }
    try storm.end()
    return last - begin
  }

  var chart: BarChart {
    var chart = BarChart("\(count) times: \(task.title); seconds until all is told that was not lost", digits: 2)
    for watcher in watchers {
      guard let figures = figures[watcher.name] else { continue }
      let name = figures.lost > 0 ? "\(watcher.name) (lost \(figures.lost))" : watcher.name
      chart.append(name, figures.times.quantile(500).milliseconds / 1_000, isOurs: watcher.isOurs)
    }
    return chart
  }

  var rows: [[String]] {
    watchers.compactMap { watcher in
      guard let figures = figures[watcher.name] else { return nil }
      return [task.title, watcher.name] + figures.cells(of: count)
    }
  }
}
