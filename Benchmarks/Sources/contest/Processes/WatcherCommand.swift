import Foundation
import Glibc

/// How a watcher is started, and what it says when it watches.
struct WatcherCommand: Sendable {
  var name: String
  /// The program, and its arguments up to the folder.
  var command: [String]
  /// What the line says, on whichever stream, by which it tells that it is ready.
  var ready: String
  /// Programs and folders without which it cannot run.
  var needs: [String] = []

  /// Whether it is what the benchmark is about.
  var isOurs: Bool { name.hasPrefix("this library") }
  var isInstalled: Bool { ([command[0]] + needs).allSatisfy(Program.isInstalled) }
}

// MARK: - Who takes part

extension WatcherCommand {
  /// For the time until they are ready: this library with each source, and what it is measured against.
  ///
  /// - Parameter writesTags: Whether the files have no tags yet, so that the bare kernel writes them too.
  static func all(writesTags: Bool) throws -> [WatcherCommand] {
    let task = writesTags ? ["--writes-tags"] : []
    var all = [try floor(1, task), try floor(2, task), try floor(2, task + ["--inlined"], ", calls inlined")]
    if writesTags { all.append(try floor(2, ["--creates-tags"], ", no tag read")) }
    all += [try ours("inotify"), try ours("fanotify")]
    if geteuid() == 0 {
      let unprivileged = ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin"]
      all.append(try ours("fanotify", " without privilege", under: unprivileged))
    }
    return all + [try ours("polling"), inotifyWait([])] + peers
  }

  /// For what they tell: programs that print it.
  static func tellers() throws -> [WatcherCommand] {
    let events = ["create", "delete", "moved_from", "moved_to"].flatMap { ["-e", $0] }
    return [
      try ours("inotify", options: ["--tells"]), try ours("fanotify", options: ["--tells"]),
      inotifyWait(["--format", "%e %w%f"] + events),
    ] + peers
  }

  private static func ours(
    _ source: String, _ addition: String = "", under command: [String] = [], options: [String] = []
  ) throws -> WatcherCommand {
    WatcherCommand(
      name: "this library, \(source)\(addition)",
      command: command + [try thisProgram, "observe", "--source", source] + options, ready: ObserveCommand.ready)
  }

  private static func floor(_ threads: Int, _ options: [String], _ addition: String = "") throws -> WatcherCommand {
    WatcherCommand(
      name: "bare kernel, \(threads) thread\(threads == 1 ? "" : "s")\(addition)",
      command: [try thisProgram, "floor", "--threads", "\(threads)"] + options, ready: ObserveCommand.ready)
  }

  private static func inotifyWait(_ options: [String]) -> WatcherCommand {
    WatcherCommand(
      name: "inotifywait -r", command: ["inotifywait", "-m", "-r"] + options, ready: "Watches established")
  }

  private static var thisProgram: String {
    get throws { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }
  }
}
