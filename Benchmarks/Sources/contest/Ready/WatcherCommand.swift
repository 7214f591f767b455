import Foundation
import Glibc

/// How a watcher is started, and what it says when it watches.
struct WatcherCommand: Sendable {
  var name: String
  /// The program, and its arguments up to the folder.
  var command: [String]
  /// What the line says, on whichever stream, by which it tells that it is ready.
  var ready: String

  var isInstalled: Bool { Program.isInstalled(command[0]) }

  /// This library with each source, and what it is measured against.
  ///
  /// - Parameter writesTags: Whether the files have no tags yet, so that the bare kernel writes them too.
  static func all(writesTags: Bool) throws -> [WatcherCommand] {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    func ours(_ name: String, _ source: String, under command: [String] = []) -> WatcherCommand {
      WatcherCommand(
        name: name, command: command + [program, "observe", "--source", source], ready: ObserveCommand.ready)
    }
    func floor(_ threads: Int) -> WatcherCommand {
      WatcherCommand(
        name: "bare kernel, \(threads) thread\(threads == 1 ? "" : "s")",
        command: [program, "floor", "--threads", "\(threads)"] + (writesTags ? ["--writes-tags"] : []),
        ready: ObserveCommand.ready)
    }
    var all = [
      floor(1), floor(2),
      WatcherCommand(name: "inotifywait -r", command: ["inotifywait", "-m", "-r"], ready: "Watches established"),
      ours("this library, inotify", "inotify"), ours("this library, fanotify", "fanotify"),
    ]
    if geteuid() == 0 {
      let unprivileged = ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin"]
      all.append(ours("this library, fanotify without privilege", "fanotify", under: unprivileged))
    }
    return all + [ours("this library, polling", "polling")]
  }
}
