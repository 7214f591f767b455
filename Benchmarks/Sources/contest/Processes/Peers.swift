import Foundation

extension WatcherCommand {
  /// Other watchers of whole trees; each has a script in `Benchmarks/Peers` that prints what it tells.
  ///
  /// `gio monitor` is not among them: it watches one folder, and nothing below it.
  static var peers: [WatcherCommand] {
    [
      script("watchman", needs: ["watchman"]), script("fswatch", needs: ["fswatch"]),
      script("watchdog", needs: [environment + "/bin/watchmedo"]),
      script("watchfiles", needs: [environment + "/bin/watchfiles"]),
    ]
  }

  private static func script(_ name: String, needs: [String]) -> WatcherCommand {
    let own = environment + "/bin/python3"
    return WatcherCommand(
      name: name, command: [Program.isInstalled(own) ? own : "python3", package + "/Peers/\(name)_lines.py"],
      ready: "ready: \(name)", needs: needs)
  }

  /// Where `Scripts/bench --install-peers` puts what is not in Debian.
  private static let environment = package + "/.build/peers"

  /// The folder of the benchmarks' package.
  private static let package: String = {
    var path = URL(filePath: #filePath)
    for _ in 0..<4 { path.deleteLastPathComponent() }
    return path.path
  }()
}
