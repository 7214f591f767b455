// Says what the observer cannot do for a folder, why, and what helps; first before the start, then while it runs.
//
//     swift run LimitsAndWhatToDo /home/me/Documents

import FileSystemObservation

@main struct LimitsAndWhatToDo {
  static func main() async throws {
    let folder = FilePath(CommandLine.arguments.dropFirst().first ?? "/home/me/Documents")

    // snippet.before
    let examination = try FileSystemObserver.examine(folder)
    for problem in examination.problems { print("\(problem.message)\n    \(problem.advice)") }
    for limit in examination.limits { print("\(limit.name): \(limit.needed) needed, room for \(limit.room)") }
    // snippet.end

    let observer = FileSystemObserver(directory: folder)
    let events = observer.events()
    do {
      try await observer.start()
    } catch {
      return print("\(error.code): \(error.message)")
    }
    for try await event in events { report(event, of: observer) }
  }

  // snippet.during
  static func report(_ event: FileSystemObserver.Event, of observer: FileSystemObserver) {
    switch event {
    case .diagnostic(let diagnostic):
      print("\(diagnostic.code): \(diagnostic.message)")
      if let limit = diagnostic.limit { print("    for an administrator: \(limit.command)") }
    case .didCompleteFullScan(let summary):
      for (reason, count) in summary.skipped { print("\(reason): \(count)") }
      let untagged = observer.snapshot().filter { $0.identity == .inode }
      print("\(untagged.count) of \(summary.itemCount) items are known by their inode only")
    default: break
    }
  }
  // snippet.end
}
