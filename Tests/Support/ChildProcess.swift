internal import Dispatch
internal import Glibc
internal import LinuxFileSystem
package import SystemPackage

/// A program that runs beside the test, and the lines it prints.
package final class ChildProcess: Sendable {
  /// Each line of its standard output, without the line feed, as soon as it arrives.
  package let lines = Feed<String>()
  private let process: pid_t
  private let reader: NativeThread
  private let outputEnd = DispatchSemaphore(value: 0)
  private let status = Mutex<Int32?>(nil)

  /// Starts a program found through `PATH`, or by its path.
  package init(_ arguments: [String]) throws(Errno) {
    var ends: [CInt] = [0, 0]
    try check(unsafe pipe(&ends))
    for end in ends { try check(fcntl(end, F_SETFD, FD_CLOEXEC)) }
    process = try Command.spawn(arguments, standardOutput: ends[1])
    _ = close(ends[1])
    let lines = lines
    let input = ends[0]
    reader = try NativeThread(name: "child output") { [outputEnd] in
      Self.readLines(input, lines)
      outputEnd.signal()
    }
  }

  deinit {
    if status.withLock({ $0 }) == nil { end(SIGKILL) }
    reader.join()
  }

  private static func readLines(_ input: CInt, _ lines: Feed<String>) {
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(input, $0.baseAddress, $0.count) }
      if count <= 0 { break }
      rest.append(contentsOf: buffer[..<count])
      let parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for line in parts.dropLast() { lines.append(String(decoding: line, as: UTF8.self)) }
      rest = Array(parts.last ?? [])
    }
    _ = close(input)
  }

  /// Its process ID.
  package var identifier: Int32 { process }

  /// `kill(2)`.
  package func send(_ signal: Int32) { kill(process, signal) }

  /// Sends a signal that ends the program, and waits for it.
  ///
  /// - Returns: The exit status, or 128 and the number of the signal.
  @discardableResult
  package func end(_ signal: Int32 = SIGTERM) -> Int32 {
    status.withLock { status in
      if let status { return status }
      send(SIGCONT)
      send(signal)
      let result = Command.wait(process)
      status = result
      return result
    }
  }

  /// Waits until its output has no writers left.
  ///
  /// - Returns: Whether that took less than a minute.
  package func awaitEndOfOutput() -> Bool {
    defer { outputEnd.signal() }
    return outputEnd.wait(timeout: .now() + 60) == .success
  }

  /// Awaits a line.
  package func awaitLine(
    _ what: String, from start: Int = 0, within time: Duration = .seconds(60),
    where match: @escaping @Sendable (String) -> Bool
  ) async throws(TimedOut) -> Int {
    guard let index = await lines.firstIndex(from: start, within: time, where: match) else { throw TimedOut(what) }
    return index
  }
}
