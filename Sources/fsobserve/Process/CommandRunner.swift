import CTool
import Dispatch
import FileSystemObservation
import Glibc
import Synchronization
import SystemPackage

/// Runs a shell command for change sets, one run at a time.
///
/// Sets that arrive during a run go to the next run together.
final class CommandRunner: Sendable {
  /// Change sets that go to one run.
  struct Batch: Sendable {
    /// The observed folder of the last set.
    var root: FilePath
    /// The number of the last set.
    var sequence: UInt64
    /// The cursor after the last set.
    var cursor: String
    /// The number of lines.
    var count: Int
    /// The lines.
    var lines: [UInt8]

    init(_ changes: FileSystemChanges, count: Int, lines: [UInt8]) {
      root = changes.directory
      sequence = changes.sequence
      cursor = changes.cursor?.description ?? ""
      self.count = count
      self.lines = lines
    }

    fileprivate mutating func append(_ next: Batch) {
      root = next.root
      sequence = next.sequence
      cursor = next.cursor
      count += next.count
      lines += next.lines
    }
  }

  private struct State {
    var waiting: Batch?
    var isBusy = false
    var process: pid_t?
    var hasFailed = false
    var isEnding = false
  }

  private let command: String
  private let console: Console
  private let ended: @Sendable () -> Void
  private let queue = DispatchQueue(label: "fsobserve.exec")
  private let state = Mutex(State())

  /// - Parameters:
  ///   - command: The command for `sh -c`.
  ///   - ended: Called after each run.
  init(_ command: String, _ console: Console, ended: @escaping @Sendable () -> Void) {
    self.command = command
    self.console = console
    self.ended = ended
  }

  /// Whether any run has failed.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// Runs the command for a change set, now or after the present run.
  func run(_ batch: Batch) {
    let isIdle = state.withLock { state in
      if state.waiting == nil { state.waiting = batch } else { state.waiting?.append(batch) }
      defer { state.isBusy = true }
      return !state.isBusy
    }
    if isIdle { queue.async { [self] in runAll() } }
  }

  /// Ends the present run with SIGTERM.
  func terminate() {
    state.withLock { state in
      state.isEnding = true
      if let process = state.process { kill(process, SIGTERM) }
    }
  }

  private func runAll() {
    while let batch = takeWaiting() {
      do {
        try run(with: batch)
      } catch {
        fail("cannot run the command: \(error)")
      }
      ended()
    }
  }

  private func takeWaiting() -> Batch? {
    state.withLock { state in
      let batch = state.isEnding ? nil : state.waiting
      state.waiting = nil
      state.isBusy = batch != nil
      return batch
    }
  }

  private func run(with batch: Batch) throws(Errno) {
    // The input is a file in memory: a command that does not read it blocks nothing.
    let input = try retryingOnInterrupt { ctool_memory_file() }
    defer { _ = close(input) }
    try AnyStream.write(batch.lines, to: input)
    let process = try spawn(batch, input)
    state.withLock { $0.process = process }
    var status: CInt = 0
    _ = try? retryingOnInterrupt { unsafe waitpid(process, &status, 0) }
    let isEnding = state.withLock { state in
      state.process = nil
      return state.isEnding
    }
    if status != 0, !isEnding { fail(Self.text(of: status)) }
  }

  private func spawn(_ batch: Batch, _ input: CInt) throws(Errno) -> pid_t {
    let variables = environment(batch)
    return try unsafe variables.withUnsafeBufferPointer { (buffer) throws(Errno) -> pid_t in
      try retryingOnInterrupt { unsafe ctool_spawn_shell(command, input, buffer.baseAddress, buffer.count) }
    }
  }

  /// The variables, each with a NUL at its end.
  private func environment(_ batch: Batch) -> [CChar] {
    let values: [(name: String, value: [UInt8])] = [
      ("SEQ", Array("\(batch.sequence)".utf8)), ("COUNT", Array("\(batch.count)".utf8)),
      ("CURSOR", Array(batch.cursor.utf8)), ("ROOT", batch.root.bytes),
    ]
    var text: [UInt8] = []
    for (name, value) in values { text += Array("FSOBSERVE_\(name)=".utf8) + value + [0] }
    return text.map { CChar(bitPattern: $0) }
  }

  private static func text(of status: CInt) -> String {
    let signal = status & 0x7f
    return signal == 0
      ? "the command ended with status \((status >> 8) & 0xff)" : "the command was ended by signal \(signal)"
  }

  private func fail(_ message: String) {
    state.withLock { $0.hasFailed = true }
    console.complain(message)
  }
}
