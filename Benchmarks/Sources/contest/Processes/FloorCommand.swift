import ArgumentParser
import CFloor
import Glibc

/// The bare kernel in a process of its own: it looks at every file and its tag, says that it is done, and stays until
/// it is ended.
struct FloorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "floor", abstract: "Looks at a folder with bare system calls, for the other commands.",
    shouldDisplay: false)

  static let tag = "user.fsobserver.uuid"

  @Option var threads = 1
  @Flag(help: "Writes tags where there are none.") var writesTags = false
  @Flag(help: "Writes tags and reads none: where there is one, that fails.") var createsTags = false
  @Flag(help: "Has no function of the C library around a system call.") var inlined = false
  @Argument var folder: String

  func run() throws {
    let task = createsTags ? cfloor_create_tags : writesTags ? cfloor_write_tags : cfloor_read_tags
    let totals = unsafe cfloor_walk(folder, Self.tag, task, CInt(threads), inlined ? 1 : 0)
    print("\(ObserveCommand.ready): \(totals.entries) entries, \(totals.tagged) with a tag")
    fflush(nil)
    while true { pause() }
  }
}
