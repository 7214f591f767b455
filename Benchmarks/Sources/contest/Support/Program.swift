import Foundation

/// Programs that are installed.
enum Program {
  /// Whether one can be started by its path, or by its name through `PATH`.
  static func isInstalled(_ name: String) -> Bool {
    if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }
}
