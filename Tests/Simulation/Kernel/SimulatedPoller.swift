import FileEvents
import FileSystemObservation
import LinuxFileSystem
import SystemPackage

/// Looks at the simulated machine again and again, by its clock.
final class SimulatedPoller {
  private let disk: SimulatedDisk
  private let files: SimulatedFileSystem
  private var scanner: PollingScanner<SimulatedFileSystem>
  private var schedule: PollingSchedule
  private var lastPass: (began: MonotonicTime, delivered: UInt64)?

  init(_ files: SimulatedFileSystem) {
    self.files = files
    disk = files.disk
    scanner = PollingScanner(files)
    schedule = PollingSchedule(at: MonotonicTime(nanoseconds: files.disk.now))
  }

  private var now: MonotonicTime { MonotonicTime(nanoseconds: disk.now) }

  func mark(_ directory: SimulatedDirectory, for scope: MarkScope, wantsMark: Bool) throws(Errno) -> MarkID {
    defer { schedule.noteChange(at: now) }
    return try scanner.mark(directory, for: scope, wantsMark: wantsMark, at: now)
  }

  /// Gives the mark that the kernel has of it already.
  func unmark(_ mark: MarkID) -> MarkID? { scanner.unmark(mark) }

  /// The kernel tells of a directory from now on.
  func unmark(_ directory: SimulatedDirectory) { scanner.unmark(directory) }

  var count: Int { scanner.count }

  func close() { scanner = PollingScanner(files) }

  var isDue: Bool { !scanner.isIdle && schedule.next <= now }

  /// Looks, if it is time to.
  ///
  /// - Parameters:
  ///   - tryMark: Has the kernel tell of a directory that is polled for want of room, if there is room by now.
  ///   - deliver: Takes the hints, and gives how many have been delivered with them.
  func look(tryMark: (SimulatedDirectory, MarkScope) -> MarkID?, deliver: ([Hint]) -> UInt64) {
    guard isDue else { return }
    let began = now
    let findings = scanner.pass(at: began, tryMark: tryMark)
    let delivered = deliver(findings.hints)
    if findings.isComplete { lastPass = (began, delivered) }
    schedule.passEnded(began: began, at: now, foundChanges: !findings.hints.isEmpty)
  }

  func horizon(since moment: MonotonicTime) -> UInt64? {
    guard scanner.hasEntries else { return 0 }
    if let lastPass, lastPass.began > moment { return lastPass.delivered }
    schedule.want(since: moment)
    return nil
  }

  func nextPass(toSee moment: Int64) -> MonotonicTime? {
    if scanner.isIdle { return nil }
    if let lastPass, lastPass.began.nanoseconds > moment { return nil }
    return schedule.next
  }
}
