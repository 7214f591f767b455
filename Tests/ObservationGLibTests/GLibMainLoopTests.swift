import FileTestSupport
import Foundation
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// The main queue on a GLib main loop, in a process of its own: here the main thread is the test runner's.
@Suite(.timeLimit(.minutes(10))) struct GLibMainLoopTests {
  /// What a check of the program `GLibProgram` beside the tests prints.
  private func lines(_ check: String...) throws -> [String] {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = URL(filePath: tests).deletingLastPathComponent().appending(path: "GLibProgram").path
    // A program that ends as it should would look for the cause.
    let process = try ChildProcess(["env", "SWIFT_BACKTRACE=enable=no", program] + check)
    #expect(process.awaitEndOfOutput())
    return process.lines.elements
  }

  @Test(.light) func jobsRunOnTheMainThread() throws {
    #expect(
      try lines("jobs") == [
        "a block from before on the main thread: true",
        "a delayed block on the main thread: true",
        "a task on the main thread: true",
        "after a sleep on the main thread: true",
        "elsewhere on the main thread: false",
        "a block that is waited for on the main thread: true",
        "back on the main thread: true",
      ])
  }

  /// Each turn of the loop takes at most what a hundred chains have put into the queue since the last one.
  @Test(.busy) func neitherJobsNorSourcesStarve() throws {
    let pattern = #/(as important|as idle): jobs 100000, timer (\d+), idle (\d+), between (\d+)/#
    let matches = try lines("load").compactMap { try pattern.wholeMatch(in: $0)?.output }
    #expect(matches.map(\.1) == ["as important", "as idle"])
    for (_, _, ticks, idles, between) in matches {
      #expect(try #require(Int(ticks)) >= 2)
      #expect(try #require(Int(idles)) >= 500)
      #expect(try #require(Int(between)) <= 200)
    }
  }

  @Test(.light) func nothingRunsWhenAllHaveDetached() throws {
    #expect(
      try lines("detach") == [
        "job: left", "one attachment is left: 1", "none is left: 0", "job: none", "attached again: 1",
        "detached by a job: 1, and then 0", "job: afterwards", "in a context of its own: 1",
      ])
  }

  @Test(.light) func anIdleLoopSleeps() throws {
    let line = try #require(lines("idle").first)
    let match = try #require(try #/idle: switches (\d+), microseconds (\d+)/#.wholeMatch(in: line)?.output, "\(line)")
    #expect(try #require(Int(match.1)) <= 5)
    #expect(try #require(Int(match.2)) <= 5000)
  }

  @Test(.light) func aLoopInAJobHoldsUpOtherJobs() throws {
    #expect(
      try lines("nested") == [
        "in a callback: the job runs within: true",
        "in a callback: the loop returned",
        "in a job: the loop returned",
        "in a job: the job runs within: false",
        "in a job that attaches anew: the loop returned",
        "in a job that attaches anew: the job runs within: false",
      ])
  }

  @Test(.light) func anotherThreadIsRefused() throws {
    #expect(try lines("thread") == ["attaching elsewhere"])
  }

  @Test(.light) func anObserverTellsOnTheLoop() throws {
    let folder = try ScratchFolder()
    #expect(try lines("observe", folder.path.string) == ["discovered letter.txt on the main thread: true"])
  }
}
