import SystemPackage
import Testing

@testable import LinuxFileSystem

struct ResourceLimitTests {
  @Test(arguments: ResourceLimit.allCases) func aLimitIsExplained(_ limit: ResourceLimit) {
    let explanation = limit.explanation()
    #expect(explanation.contains(limit.subject))
    guard let (setting, value) = limit.current, let advice = limit.advice() else {
      #expect(limit == .memory)
      return
    }
    #expect(explanation.contains(setting) && explanation.contains("\(value)") && explanation.contains(advice.command))
    #expect(!advice.who.isEmpty)
  }

  @Test func whatIsNeededIsAdvised() throws {
    let value = try #require(ResourceLimit.inotifyWatches.current?.value)
    guard value < 1 << 39 else { return }
    let command = try #require(ResourceLimit.inotifyWatches.advice(needed: value * 3)?.command)
    let advised = try #require(command.split(separator: "=").last.flatMap { UInt64($0) })
    #expect(advised >= value * 3 && advised.nonzeroBitCount == 1)
  }

  @Test func usageIsCountedFromDescriptions() {
    var usage = KernelUsage()
    usage.add("pos:\t0\nflags:\t02000000\ninotify wd:2 ino:1 sdev:1\ninotify wd:1 ino:2 sdev:1\n")
    usage.add("pos:\t0\nfanotify flags:11 event-flags:0\nfanotify ino:4f969 sdev:8 mflags:0 mask:3b\n")
    usage.add("pos:\t0\nflags:\t02\n")
    #expect(usage.inotifyInstances == 1 && usage.inotifyWatches == 2)
    #expect(usage.fanotifyGroups == 1 && usage.fanotifyMarks == 1)
    #expect(usage.used(of: .inotifyWatches) == 2 && usage.used(of: .memory) == nil)
  }
}
