internal import CTestSystem
internal import Glibc
internal import SystemPackage

/// Programs that a test runs.
package enum Command {
  /// A program that should have succeeded, and its exit status.
  package struct Failure: Error, CustomStringConvertible {
    package var arguments: [String]
    package var status: Int32
    package var description: String { "\(arguments.joined(separator: " ")): exit status \(status)" }
  }

  /// Runs a program and waits for it.
  ///
  /// - Throws: `Failure` for an exit status other than 0.
  package static func run(_ arguments: String...) throws { try run(arguments: arguments) }

  package static func run(arguments: [String]) throws {
    let status = wait(try spawn(arguments))
    if status != 0 { throw Failure(arguments: arguments, status: status) }
  }

  /// `waitpid(2)`: the exit status, or 128 and the number of the signal that ended the program.
  static func wait(_ process: pid_t) -> Int32 { ctest_wait(process) }

  /// Starts a program found through `PATH`.
  static func spawn(_ arguments: [String], standardOutput: CInt = -1) throws(Errno) -> pid_t {
    var strings = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe strings.forEach { unsafe free($0) } }
    var process: pid_t = 0
    try check(
      unsafe strings.withUnsafeMutableBufferPointer { unsafe ctest_spawn($0.baseAddress, standardOutput, &process) })
    return process
  }
}
