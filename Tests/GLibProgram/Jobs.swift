import Dispatch
import ObservationGLib

/// Jobs of every kind run on the main thread.
@MainActor func checkJobs() {
  let loop = Loop()
  DispatchQueue.main.async { print("a block from before on the main thread: \(isMainThread)") }
  GLibMainLoop.attachMainQueue()
  DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(1)) {
    print("a delayed block on the main thread: \(isMainThread)")
    Task {
      await checkTasks()
      loop.quit()
    }
  }
  loop.run()
}

@MainActor private func checkTasks() async {
  print("a task on the main thread: \(isMainThread)")
  try? await Task.sleep(for: .milliseconds(1))
  print("after a sleep on the main thread: \(isMainThread)")
  await elsewhere()
  print("back on the main thread: \(isMainThread)")
}

@concurrent private func elsewhere() async {
  print("elsewhere on the main thread: \(isMainThread)")
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      DispatchQueue.main.sync { print("a block that is waited for on the main thread: \(isMainThread)") }
      continuation.resume()
    }
  }
}
