import Glibc

/// Shows with a GLib main loop on the main thread that the main queue works there: each check prints what came of it.
@main struct GLibProgram {
  @MainActor static let checks: [String: @MainActor () -> Void] = [
    "jobs": checkJobs, "load": checkLoad, "detach": checkDetaching, "idle": checkIdling, "nested": checkNesting,
    "thread": checkThread, "observe": checkObserver,
  ]

  @MainActor static func main() {
    guard let check = CommandLine.arguments.dropFirst().first.flatMap({ checks[$0] }) else { exit(64) }
    check()
  }
}
