import Foundation
import Glibc

/// A watcher in a process of its own.
final class RunningWatcher {
  /// It ended without saying that it watches.
  struct NeverReady: Error, CustomStringConvertible {
    var description: String
  }

  private let process = Process()
  private let output = Pipe()
  /// From its start until it said that it watches.
  private(set) var time = Duration.zero

  /// Starts it, and awaits that it is ready.
  init(_ watcher: WatcherCommand, in folder: Folder) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = watcher.command + [folder.path]
    process.standardOutput = output
    process.standardError = output
    let start = Moment.now
    try process.run()
    try output.fileHandleForWriting.close()
    guard let last = awaitLine(watcher.ready) else {
      end()
      throw NeverReady(description: "\(watcher.name) ended before it was ready")
    }
    time = last - start
  }

  deinit { end() }

  /// Reads lines until one says that it is ready; what is said later is thrown away.
  private func awaitLine(_ ready: String) -> Moment? {
    let number = output.fileHandleForReading.fileDescriptor
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let sought = Array(ready.utf8)
    while true {
      let count = unsafe read(number, &buffer, buffer.count)
      guard count > 0 else { return nil }
      rest += buffer[..<count]
      if rest.firstRange(of: sought) != nil { return .now }
      rest.removeFirst(max(0, rest.count - sought.count))
    }
  }

  /// Seconds of all processors, its own and the kernel's for it.
  var processorTime: Duration {
    let path = "/proc/\(process.processIdentifier)/stat"
    // The name before it, in brackets, may have spaces.
    let fields = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: ")").last?.split(separator: " ")
    guard let fields, fields.count > 12, let user = Int64(fields[11]), let system = Int64(fields[12]) else {
      return .zero
    }
    return .milliseconds((user + system) * 1_000 / Int64(sysconf(Int32(_SC_CLK_TCK))))
  }

  /// In KiB.
  var privateMemory: Int {
    ProcessMemory.sum(of: "Private_", in: "/proc/\(process.processIdentifier)/smaps_rollup")
  }

  func end() {
    if process.isRunning {
      process.terminate()
      process.waitUntilExit()
    }
  }
}

/// What the kernel says of memory, in KiB.
enum ProcessMemory {
  /// Of the lines that begin so.
  static func sum(of prefix: String, in path: String) -> Int {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
    return text.split(separator: "\n").filter { $0.hasPrefix(prefix) }
      .compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }.reduce(0, +)
  }

  /// What the kernel cannot let go of, with its caches emptied.
  ///
  /// Nothing where that is not permitted.
  static func kernel() -> Int? {
    // What is not on disk yet cannot be let go of.
    sync()
    guard (try? "3".write(toFile: "/proc/sys/vm/drop_caches", atomically: false, encoding: .utf8)) != nil else {
      return nil
    }
    return sum(of: "Slab:", in: "/proc/meminfo")
  }
}
