import Dispatch
import Glibc
import SystemPackage
import Testing

/// What a command printed, and how it ended.
struct ToolRun {
  var status: Int32
  var outputBytes: [UInt8] = []
  var errorBytes: [UInt8] = []

  var output: String { String(decoding: outputBytes, as: UTF8.self) }
  var errors: String { String(decoding: errorBytes, as: UTF8.self) }
  var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }
}

/// A running command whose output can be awaited line by line.
final class ToolProcess {
  /// No test waits longer than this for one thing, in seconds: on a busy machine a pass of polling takes seconds, and
  /// the rest after it ten times as long, up to half a minute.
  static let patience: Int32 = 120

  let identifier: pid_t
  private let output: ReadingEnd
  private let errors: ReadingEnd
  private var status: Int32?

  /// Starts the command.
  ///
  /// With packets, each `write(2)` of at most a page can be told from the next (`O_DIRECT` of pipe(2)).
  init(executable: String, _ arguments: [String], rawArguments: [[UInt8]] = [], packets: Bool = false) throws {
    output = try ReadingEnd(packets: packets)
    errors = try ReadingEnd(packets: false)
    let words = ([executable] + arguments).map { Array($0.utf8) } + rawArguments
    identifier = try Self.spawn(words, output: output, errors: errors)
    output.closeWritingEnd()
    errors.closeWritingEnd()
  }

  deinit {
    if status == nil {
      kill(identifier, SIGKILL)
      _ = wait()
    }
  }

  private static func spawn(_ words: [[UInt8]], output: ReadingEnd, errors: ReadingEnd) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.writingEnd, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors.writingEnd, 2)
    // A job in the background ignores what a terminal's keys send, and so would what it starts.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    unsafe sigaddset(&defaults, SIGINT)
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let storage = unsafe words.map { word in unsafe strdup(word.map { CChar(bitPattern: $0) } + [0]) }
    defer { unsafe storage.forEach { unsafe free($0) } }
    var identifier = pid_t()
    guard let executable = unsafe storage.first ?? nil else { throw Errno.invalidArgument }
    let code = unsafe posix_spawn(&identifier, executable, &actions, &attributes, storage + [nil], environ)
    guard code == 0 else { throw Errno(rawValue: code) }
    return identifier
  }

  func signal(_ number: Int32) {
    kill(identifier, number)
  }

  /// The next line of standard output, without its end; none when the output ends or time is up.
  func nextLine() -> String? { output.nextLine() }

  /// Takes lines until one is as wanted; all of them are given back.
  ///
  /// The test fails where it does not come.
  @discardableResult
  func lines(
    until isWanted: (String) -> Bool, _ location: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    var lines: [String] = []
    while let line = nextLine() {
      lines.append(line)
      if isWanted(line) { return lines }
    }
    let message = "the line awaited did not come after: \(lines) \(errors.isOpen ? "" : "errors closed")"
    try #require(Bool(false), "\(message)", sourceLocation: location)
    return lines
  }

  /// What one `write(2)` wrote, where the output is in packets.
  func nextPacket() -> [UInt8] { output.nextPacket() }

  /// Nobody reads the output any more.
  func closeOutput() {
    output.close()
  }

  /// Waits for the end; the output up to there is what was not taken yet.
  func finish() -> ToolRun {
    let (outputBytes, errorBytes) = (output.rest(), errors.rest())
    return ToolRun(status: wait(), outputBytes: outputBytes, errorBytes: errorBytes)
  }

  /// Waits for the end without taking the output.
  func waitForEnd() -> Int32 { wait() }

  /// Waits with a time limit; what does not end by itself is killed, and the test sees the status of that.
  private func wait() -> Int32 {
    if let status { return status }
    var raw: Int32 = 0
    let watchdog = DispatchWorkItem { [identifier] in kill(identifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(Self.patience)), execute: watchdog)
    while unsafe waitpid(identifier, &raw, 0) == -1, errno == EINTR {}
    watchdog.cancel()
    // As a shell has it: 128 and the signal for a command that a signal ended.
    let ended = raw & 0x7f == 0 ? (raw >> 8) & 0xff : 128 + (raw & 0x7f)
    status = ended
    return ended
  }
}

/// The end of a pipe that a test reads from, with a time limit.
private final class ReadingEnd {
  private(set) var writingEnd: Int32
  private var number: Int32
  private var buffered: [UInt8] = []

  init(packets: Bool) throws {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe2(&ends, O_CLOEXEC | (packets ? O_DIRECT : 0)) == 0 else { throw Errno(rawValue: errno) }
    number = ends[0]
    writingEnd = ends[1]
  }

  deinit {
    close()
    closeWritingEnd()
  }

  var isOpen: Bool { number >= 0 }

  func closeWritingEnd() {
    if writingEnd >= 0 { Glibc.close(writingEnd) }
    writingEnd = -1
  }

  func close() {
    if number >= 0 { Glibc.close(number) }
    number = -1
  }

  func nextPacket() -> [UInt8] {
    var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    guard number >= 0, unsafe poll(&entry, 1, ToolProcess.patience * 1000) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe read(number, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  func nextLine() -> String? {
    while true {
      if let end = buffered.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffered.removeFirst(end + 1) }
        return String(decoding: buffered[..<end], as: UTF8.self)
      }
      let more = nextPacket()
      if more.isEmpty { return nil }
      buffered += more
    }
  }

  func rest() -> [UInt8] {
    while true {
      let more = nextPacket()
      if more.isEmpty { break }
      buffered += more
    }
    defer { buffered = [] }
    return buffered
  }
}
