import CGLib
import Dispatch
import Glibc
import ObservationGLib

/// Attaching twice does nothing twice, and nothing runs after the last detaching.
@MainActor func checkDetaching() {
  let first = GLibMainLoop.attachMainQueue()
  let second = GLibMainLoop.attachMainQueue()
  first.detach()
  first.detach()
  print("one attachment is left: \(turns(of: "left"))")
  second.detach()
  print("none is left: \(turns(of: "none"))")
  let third = GLibMainLoop.attachMainQueue()
  print("attached again: \(turns())")
  DispatchQueue.main.async { third.detach() }
  print("detached by a job: \(turns()), and then \(turns(of: "afterwards"))")
  checkContext()
}

/// What was left in the main queue runs in the context that it is attached to, and not in the default one.
@MainActor private func checkContext() {
  let context = unsafe g_main_context_new()
  unsafe GLibMainLoop.attachMainQueue(to: context)
  var count = turns()
  while unsafe g_main_context_iteration(context, 0) != 0 { count += 1 }
  print("in a context of its own: \(count)")
}

/// How often the loop finds something to do when a job is in the main queue.
@MainActor private func turns(of job: String? = nil) -> Int {
  if let job { DispatchQueue.main.async { print("job: \(job)") } }
  var turns = 0
  while Loop.turn() { turns += 1 }
  return turns
}

/// On another thread it is refused.
@MainActor func checkThread() {
  print("attaching elsewhere")
  // The program ends without writing what was printed.
  fflush(nil)
  // What Swift then says would be in the log of a test that passes.
  close(STDERR_FILENO)
  DispatchQueue(label: "elsewhere").async {
    GLibMainLoop.attachMainQueue()
    print("attached elsewhere")
    Task { @MainActor in print("ran") }
  }
  Loop().run()
}
