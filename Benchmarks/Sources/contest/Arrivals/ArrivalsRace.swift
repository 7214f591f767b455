import Foundation
import Glibc

/// Lets watchers, each a process of its own, tell of new files in turns; each has a new tree.
///
/// No tree is removed before all is over, see `StormRace`.
struct ArrivalsRace {
  private struct Figures {
    /// The worst of all rounds.
    var lost = 0
    var done = Sample()
    var told = Sample()
    /// The processor time for all files: until they are told, and until the watcher has rested.
    var processor = (all: Sample(), kernel: Sample())
    var rested = (all: Sample(), kernel: Sample())
  }

  /// So long nothing may be told until the rest counts as lost, in milliseconds.
  private static let patience: Int32 = 10_000

  let task: StormTask
  let watchers: [WatcherCommand]
  let count: Int
  let rest: UInt32
  let parent: Folder
  private var figures: [String: Figures] = [:]

  init(_ task: StormTask, _ watchers: [WatcherCommand], count: Int, rest: UInt32, in parent: Folder) {
    self.task = task
    self.watchers = watchers
    self.count = count
    self.rest = rest
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
    let before = watcher.family
    let storm = Storm(task, folder, count)
    storm.begin()
    let begin = Moment.now
    // Only what is finished counts: this library tells of long copies before that.
    var names = ToldNames(task.letter, count: count, word: command.isOurs ? "copyFinished" : nil)
    let told = read(&names, from: watcher, during: storm) - begin
    let atEnd = watcher.family
    try storm.end()
    drain(watcher)
    let afterRest = watcher.family
    var known = figures[command.name, default: Figures()]
    known.lost = max(known.lost, names.missing)
    known.done.append(storm.endTime - begin)
    known.told.append(told)
    known.processor.all.append(atEnd.processorTime - before.processorTime)
    known.processor.kernel.append(atEnd.kernelTime - before.kernelTime)
    known.rested.all.append(afterRest.processorTime - before.processorTime)
    known.rested.kernel.append(afterRest.kernelTime - before.kernelTime)
    figures[command.name] = known
  }

  /// Reads until all files are told; when the last was.
  private func read(_ names: inout ToldNames, from watcher: RunningWatcher, during storm: Storm) -> Moment {
    var last = Moment.now
    while !names.isComplete {
      guard let bytes = watcher.read(within: Self.patience) else {
        if storm.isRunning { continue } else { break }
      }
      let count = names.count
      names.take(bytes)
      if names.count > count { last = .now }
    }
    return last
  }

  /// Lets a watcher do what it has put off, and takes what it says meanwhile.
  private func drain(_ watcher: RunningWatcher) {
    let end = Moment.now.nanoseconds + Int64(rest) * 1_000_000_000
    while true {
      let left = (end - Moment.now.nanoseconds) / 1_000_000
      if left <= 0 || watcher.read(within: Int32(left)) == nil { return }
    }
  }

  var rows: [[String]] {
    watchers.compactMap { watcher in
      guard let figures = figures[watcher.name] else { return nil }
      return [task.title, watcher.name, "\(figures.lost)", seconds(figures.done), seconds(figures.told)]
        + [figures.processor.all, figures.processor.kernel, figures.rested.all, figures.rested.kernel].map(each)
    }
  }

  private func seconds(_ sample: Sample) -> String { (sample.quantile(500).milliseconds / 1_000).text(2) }

  /// Microseconds for each file.
  private func each(_ sample: Sample) -> String {
    (sample.quantile(500).milliseconds * 1_000 / Double(count)).text(1)
  }
}
