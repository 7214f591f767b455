import Glibc
import SystemPackage
import Testing

/// A folder for one test, removed with everything in it at the end.
final class TemporaryFolder: Sendable {
  let path: FilePath

  init() throws {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
    var template = Array("\(parent)/fsobserve-test.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    // The tool prints paths as the kernel knows them; a link on the way to the temporary folder must not differ.
    let resolved = unsafe realpath(template, nil)
    defer { unsafe free(resolved) }
    path = try unsafe FilePath(platformString: #require(unsafe resolved))
  }

  deinit {
    let removal = Shell.run("chmod -R u+rwX \"$0\" 2>/dev/null; rm -rf \"$0\"", path.string)
    if removal.status != 0 { print("left behind: \(path)") }
  }

  /// The path of the folder.
  var string: String { path.string }

  /// A path in the folder.
  subscript(_ name: String) -> String { path.appending(name).string }

  /// Runs a shell script in the folder; the test fails where it does.
  func shell(_ script: String, _ location: SourceLocation = #_sourceLocation) {
    let run = Shell.run("cd \"$0\" && set -e && " + script, path.string)
    #expect(run.status == 0, "\(script): \(run.errors)", sourceLocation: location)
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
