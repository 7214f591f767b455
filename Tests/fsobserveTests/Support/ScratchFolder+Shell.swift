import FileTestSupport
import Glibc
import SystemPackage
import Testing

extension ScratchFolder {
  /// The path of the folder.
  var string: String { path.string }

  /// A path in the folder.
  subscript(_ name: String) -> String { path(name).string }

  /// Runs a shell script in the folder, and returns what it prints; the test fails where it does.
  @discardableResult
  func shell(_ script: String, _ location: SourceLocation = #_sourceLocation) -> String {
    let run = Shell.run("cd \"$0\" && set -e && " + script, path.string)
    #expect(run.status == 0, "\(script): \(run.errors)", sourceLocation: location)
    return run.output
  }
}

/// Runs shell scripts.
enum Shell {
  static func run(_ script: String, _ arguments: String...) -> ToolRun {
    (try? ToolProcess(executable: "/bin/bash", ["-c", script] + arguments).finish()) ?? ToolRun(status: -1)
  }
}

/// Whether the tests run as a user who may do everything, so that missing permissions cannot be tested.
var isRoot: Bool { geteuid() == 0 }
