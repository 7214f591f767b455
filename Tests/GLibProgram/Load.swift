import Dispatch
import ObservationGLib

/// A hundred chains of jobs, of which each asks for the next: the main queue always has something to do.
@MainActor private final class Chains {
  private static let chainCount = 100
  private static let length = 1000
  private(set) var jobs = 0
  private let done: @MainActor () -> Void

  init(done: @escaping @MainActor () -> Void) {
    self.done = done
    for _ in 0..<Self.chainCount { enqueue(Self.length) }
  }

  private func enqueue(_ rest: Int) {
    DispatchQueue.main.async { [self] in
      jobs += 1
      if rest > 1 { enqueue(rest - 1) }
      if isDone { done() }
    }
  }

  var isDone: Bool { jobs == Self.chainCount * Self.length }
}

/// What GLib has done beside the jobs.
@MainActor private final class Turns {
  var ticks = 0
  var idles = 0
  var mostJobsBetween = 0
  var jobsBefore = 0
}

/// Neither the main queue nor GLib's sources keep the other waiting.
@MainActor func checkLoad() {
  checkLoad("as important", priority: 0, idlePriority: 0)
  checkLoad("as idle", priority: 200, idlePriority: 200)
}

@MainActor private func checkLoad(_ name: String, priority: Int32, idlePriority: Int32) {
  let attachment = GLibMainLoop.attachMainQueue(priority: priority)
  let loop = Loop()
  let turns = Turns()
  let chains = Chains(done: loop.quit)
  Source.timer(milliseconds: 1) {
    turns.ticks += 1
    return !chains.isDone
  }
  Source.idle(priority: idlePriority) {
    turns.idles += 1
    turns.mostJobsBetween = max(turns.mostJobsBetween, chains.jobs - turns.jobsBefore)
    turns.jobsBefore = chains.jobs
    return !chains.isDone
  }
  loop.run()
  attachment.detach()
  print("\(name): jobs \(chains.jobs), timer \(turns.ticks), idle \(turns.idles), between \(turns.mostJobsBetween)")
}
