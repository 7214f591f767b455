import Foundation
import Glibc

/// A process, and those that it has started: a watcher may be more than one.
struct ProcessFamily {
  private struct Status {
    var parent: Int32
    var processorTime: Duration
    var kernelTime: Duration
  }

  let members: [Int32]
  /// Of all processors, their own and the kernel's for them.
  let processorTime: Duration
  /// The kernel's part of that.
  let kernelTime: Duration

  /// How often their threads have gone to sleep of their own accord, and were woken.
  let wakes: Int

  init(of eldest: Int32) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let all = names.compactMap { Int32($0) }.map { ($0, Self.status(of: $0)) }
    var members = [eldest]
    var known = 0
    while known < members.count {
      let parent = members[known]
      members += all.filter { $0.1?.parent == parent }.map(\.0)
      known += 1
    }
    self.members = members
    let statuses = all.filter { members.contains($0.0) }.compactMap(\.1)
    processorTime = statuses.map(\.processorTime).reduce(.zero, +)
    kernelTime = statuses.map(\.kernelTime).reduce(.zero, +)
    wakes = members.map(Self.wakes).reduce(0, +)
  }

  private static func wakes(of process: Int32) -> Int {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return threads.map { thread in
      let text = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/status", encoding: .utf8)
      let line = text?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
    }.reduce(0, +)
  }

  /// See proc_pid_stat(5).
  private static func status(of process: Int32) -> Status? {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    // The name before it, in brackets, may have spaces.
    let fields = text?.split(separator: ")").last?.split(separator: " ")
    guard let fields, fields.count > 12, let parent = Int32(fields[1]), let user = Int64(fields[11]),
      let system = Int64(fields[12])
    else { return nil }
    let ticks = Int64(sysconf(Int32(_SC_CLK_TCK)))
    return Status(
      parent: parent, processorTime: .milliseconds((user + system) * 1_000 / ticks),
      kernelTime: .milliseconds(system * 1_000 / ticks))
  }
}
