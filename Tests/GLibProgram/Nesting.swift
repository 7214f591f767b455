import Dispatch
import ObservationGLib

/// What runs in a loop within a loop.
@MainActor func checkNesting() {
  let attachment = GLibMainLoop.attachMainQueue()
  runLoop { done in Source.after(milliseconds: 1) { check("in a callback", done) } }
  runLoop { done in DispatchQueue.main.async { check("in a job", done) } }
  runLoop { done in
    DispatchQueue.main.async {
      attachment.detach()
      GLibMainLoop.attachMainQueue()
      check("in a job that attaches anew", done)
    }
  }
}

/// Runs a loop until what it begins with is done.
@MainActor private func runLoop(_ begin: (_ done: @escaping @MainActor () -> Void) -> Void) {
  let loop = Loop()
  begin { loop.quit() }
  loop.run()
}

/// Runs a loop until a timer ticks a second time, and says what becomes of a job meanwhile.
@MainActor private func check(_ name: String, _ done: @escaping @MainActor () -> Void) {
  let loop = Loop()
  var ticks = 0
  Task { @MainActor in
    print("\(name): the job runs within: \(loop.isRunning)")
    done()
  }
  Source.timer(milliseconds: 5) {
    ticks += 1
    if ticks == 2 { loop.quit() }
    return ticks < 2
  }
  loop.run()
  print("\(name): the loop returned")
}
