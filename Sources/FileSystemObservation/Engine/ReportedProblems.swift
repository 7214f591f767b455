import LinuxFileSystem
import SystemPackage

/// Problems that diagnostics report once in a run, however many files have them.
struct ReportedProblems {
  enum Problem: Hashable {
    case tagNotWritten(Errno)
    case sparedFile
    case unmarkedDirectory
    case reachedLimit(ResourceLimit)
    case directoryLoop(Place)
  }

  private var reported: Set<Problem> = []

  /// Notes a problem; returns whether it was not reported before.
  mutating func isFirst(_ problem: Problem) -> Bool { reported.insert(problem).inserted }
}
