import Glibc
import SystemPackage
import Testing

/// The built `fsobserve`: it stands beside the tests.
enum Tool {
  static let folder: FilePath = {
    let path = unsafe realpath("/proc/self/exe", nil)
    defer { unsafe free(path) }
    return unsafe path.map { unsafe FilePath(platformString: $0).removingLastComponent() } ?? "."
  }()

  static let path = folder.appending("fsobserve").string

  /// Runs the tool to its end.
  static func run(_ arguments: String..., raw: [[UInt8]] = []) throws -> ToolRun {
    try start(arguments, raw: raw).finish()
  }

  /// Starts the tool.
  static func start(_ arguments: [String], raw: [[UInt8]] = [], packets: Bool = false) throws -> ToolProcess {
    try ToolProcess(executable: path, arguments, rawArguments: raw, packets: packets)
  }
}

/// Whether the text is exactly one line that names the tool, as every failure ends.
func isOneComplaint(_ text: String) -> Bool {
  text.hasPrefix("fsobserve: ") && text.hasSuffix("\n") && text.count { $0.isNewline } == 1
}
