import CFloor
import Foundation

/// Starts watchers in turns, each in the same tree.
struct ReadyRace {
  private struct Figures {
    var times = Sample()
    var processor = Sample()
    var memory: [Int] = []
    var kernel: [Int] = []
  }

  private var contenders: [WatcherCommand]
  private let folder: Folder
  private let isUntagged: Bool
  private var figures: [String: Figures] = [:]
  /// Why some of them were left out.
  private(set) var refusals: [String] = []

  init(contenders: [WatcherCommand], folder: Folder, isUntagged: Bool) {
    self.contenders = contenders
    self.folder = folder
    self.isUntagged = isUntagged
  }

  mutating func warmUp() throws {
    contenders = contenders.filter { contender in
      do {
        _ = try RunningWatcher(contender, in: folder)
        return true
      } catch {
        refusals.append("\(error)")
        return false
      }
    }
  }

  /// One round; each begins with another contender.
  mutating func run(startingWith number: Int) throws {
    for index in contenders.indices {
      try measure(contenders[(index + number) % contenders.count])
    }
  }

  private mutating func measure(_ contender: WatcherCommand) throws {
    // Whoever comes first would find nothing in the kernel's caches.
    let task = isUntagged ? cfloor_remove_tags : cfloor_read_tags
    _ = unsafe cfloor_walk(folder.path, FloorCommand.tag, task, 2)
    let watcher = try RunningWatcher(contender, in: folder)
    var figures = figures[contender.name] ?? Figures()
    figures.times.append(watcher.time)
    figures.processor.append(watcher.processorTime)
    figures.memory.append(watcher.privateMemory)
    let during = ProcessMemory.kernel()
    watcher.end()
    if let during, let after = ProcessMemory.kernel() { figures.kernel.append(during - after) }
    self.figures[contender.name] = figures
  }

  var table: Table {
    var table = Table(["watcher", "ready, s", "processors, s", "private memory, MiB", "of the kernel, MiB"])
    for contender in contenders {
      guard let figures = figures[contender.name] else { continue }
      table.append(
        [contender.name]
          + [figures.times, figures.processor].map { ($0.quantile(500).milliseconds / 1_000).text(2) }
          + [median(figures.memory), median(figures.kernel)])
    }
    return table
  }

  private func median(_ sizes: [Int]) -> String {
    sizes.isEmpty ? "–" : (Double(sizes.sorted()[sizes.count / 2]) / 1_024).text(1)
  }
}
