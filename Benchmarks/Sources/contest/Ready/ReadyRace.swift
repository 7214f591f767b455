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

  /// Seconds until files without tags count as old, which nearly all documents are: what was changed less than ten
  /// seconds ago may be on its way, and an observer looks at it with more care.
  private static let rest = 11.0

  private var contenders: [WatcherCommand]
  private let folder: Folder
  private let isUntagged: Bool
  /// Files and folders in the tree.
  private let items: Int
  private var figures: [String: Figures] = [:]
  /// Why some of them were left out.
  private(set) var refusals: [String] = []

  init(contenders: [WatcherCommand], folder: Folder, items: Int, isUntagged: Bool) {
    self.contenders = contenders
    self.folder = folder
    self.items = items
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
    _ = unsafe cfloor_walk(folder.path, FloorCommand.tag, task, 2, 0)
    if isUntagged { Thread.sleep(forTimeInterval: Self.rest) }
    let watcher = try RunningWatcher(contender, in: folder)
    var figures = figures[contender.name] ?? Figures()
    figures.times.append(watcher.time)
    let family = watcher.family
    figures.processor.append(family.processorTime)
    figures.memory.append(ProcessMemory.ofOwn(family.members))
    let during = ProcessMemory.ofKernel()
    watcher.end()
    if let during, let after = ProcessMemory.ofKernel() { figures.kernel.append(during - after) }
    self.figures[contender.name] = figures
  }

  var table: Table {
    var table = Table([
      "watcher", "ready, s", "processors, s", "private memory, MiB", "of the kernel, MiB", "bytes an item",
    ])
    for contender in contenders {
      guard let figures = figures[contender.name] else { continue }
      let times = [figures.times, figures.processor].map { ($0.quantile(500).milliseconds / 1_000).text(2) }
      let memory = [median(figures.memory), median(figures.kernel)]
      table.append([contender.name] + times + memory.map { $0.map { ($0 / 1_024).text(1) } ?? "–" } + [perItem(memory)])
    }
    return table
  }

  /// Its own memory and the kernel's, all told, by the number of files and folders.
  private func perItem(_ memory: [Double?]) -> String {
    guard let own = memory[0], let kernel = memory[1] else { return "–" }
    return ((own + kernel) * 1_024 / Double(items)).text(0)
  }

  private func median(_ sizes: [Int]) -> Double? {
    sizes.isEmpty ? nil : Double(sizes.sorted()[sizes.count / 2])
  }

  /// How long each took, and how much memory of its own it had.
  func charts(_ title: String) -> (time: BarChart, memory: BarChart) {
    var time = BarChart("\(title): seconds until ready", digits: 2)
    var memory = BarChart("\(title): private memory, MiB", digits: 1)
    for contender in contenders {
      guard let figures = figures[contender.name] else { continue }
      time.append(contender.name, figures.times.quantile(500).milliseconds / 1_000, isOurs: contender.isOurs)
      memory.append(contender.name, (median(figures.memory) ?? 0) / 1_024, isOurs: contender.isOurs)
    }
    return (time, memory)
  }
}
