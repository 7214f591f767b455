import FileTestSupport
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Each operation is killed at every one of its system calls; what there is then is the old or the new state.
///
/// The files are in memory, where flushing costs nothing.
@Suite(.heavy, .enabled(if: PlainFiles.isWritable("/dev/shm"), "there is no file system in memory"))
struct KillTests {
  /// What the program `DocumentProgram` beside the tests can do.
  static let operations = [
    "replace", "save", "createFile", "duplicate", "move", "moveOver", "remove", "createFolders", "duplicateFolder",
    "moveFolder", "removeFolder", "replaceFolder", "moveBetween", "moveBetweenOver", "moveFolderBetween", "trash",
    "trashFolder", "restore", "restoreWithFolders",
  ]

  @Test(arguments: operations) func aKilledOperationIsDoneOrNotDone(_ operation: String) throws {
    let (memory, disk) = (try ScratchFolder(in: "/dev/shm"), try ScratchFolder())
    let process = try ChildProcess(
      ["env", "SWIFT_BACKTRACE=enable=no", try Self.program, operation, memory.path.string, disk.path.string])
    #expect(process.awaitEndOfOutput())
    let lines = process.lines.elements
    if lines.first?.hasPrefix("not traced") == true { try Test.cancel("no program can be traced here: \(lines[0])") }
    #expect(lines.filter { !$0.hasPrefix("\(operation): killed at") } == [])
    let last = try #require(lines.last)
    print(last)
    let count = try #require(last.split(separator: " ").dropFirst(3).first.flatMap { Int($0) })
    #expect(count >= 8)
  }

  private static var program: String {
    get throws {
      var buffer = [CChar](repeating: 0, count: 4096)
      let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
      let path = FilePath(String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self))
      return path.removingLastComponent().appending("DocumentProgram").string
    }
  }
}
