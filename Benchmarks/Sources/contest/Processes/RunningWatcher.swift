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
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
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

  /// Reads until a line says that it is ready.
  private func awaitLine(_ ready: String) -> Moment? {
    var rest: [UInt8] = []
    let sought = Array(ready.utf8)
    while let bytes = read(within: -1) {
      rest += bytes
      if rest.firstRange(of: sought) != nil { return .now }
      rest.removeFirst(max(0, rest.count - sought.count))
    }
    return nil
  }

  /// What it says next; nothing when it has ended, or has said nothing for so long, where that is not negative.
  func read(within milliseconds: Int32) -> ArraySlice<UInt8>? {
    let number = output.fileHandleForReading.fileDescriptor
    var wanted = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&wanted, 1, milliseconds) > 0 else { return nil }
    let count = unsafe Glibc.read(number, &buffer, buffer.count)
    return count > 0 ? buffer[..<count] : nil
  }

  func send(_ signal: Int32) {
    for process in family.members { kill(process, signal) }
  }

  /// It, and what it has started.
  var family: ProcessFamily { ProcessFamily(of: process.processIdentifier) }

  func end() {
    if process.isRunning {
      process.terminate()
      process.waitUntilExit()
    }
  }
}
