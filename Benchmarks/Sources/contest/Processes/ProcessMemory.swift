import Foundation
import Glibc

/// What the kernel says of memory, in KiB.
enum ProcessMemory {
  /// What processes have to themselves.
  static func ofOwn(_ processes: [Int32]) -> Int {
    processes.map { sum(of: "Private_", in: "/proc/\($0)/smaps_rollup") }.reduce(0, +)
  }

  /// Of the lines that begin so.
  private static func sum(of prefix: String, in path: String) -> Int {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
    return text.split(separator: "\n").filter { $0.hasPrefix(prefix) }
      .compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }.reduce(0, +)
  }

  /// What the kernel cannot let go of, with its caches emptied.
  ///
  /// Nothing where that is not permitted.
  static func ofKernel() -> Int? {
    // What is not on disk yet cannot be let go of.
    sync()
    guard (try? "3".write(toFile: "/proc/sys/vm/drop_caches", atomically: false, encoding: .utf8)) != nil else {
      return nil
    }
    return sum(of: "Slab:", in: "/proc/meminfo")
  }
}
