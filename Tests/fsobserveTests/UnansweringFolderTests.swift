import FileTestSupport
import Glibc
import ObservationTestSupport
import TestTraits
import Testing

/// The folder to watch is on a file system whose program does not answer.
///
/// The program is stopped before it takes a request: not even a process that gives up could end after that, as with
/// `HangingMount`.
@Suite(.ownThreads, .enabled(if: HangingMount.isPossible, "needs root and /dev/fuse"))
struct UnansweringFolderTests {
  private let folder: ScratchFolder
  private let server: ToolProcess

  init() throws {
    folder = try ScratchFolder()
    folder.shell("mkdir back mount; touch back/letter.txt")
    server = try ToolProcess(executable: "/usr/bin/bindfs", ["-f", folder["back"], folder["mount"]])
    folder.shell("timeout 60 sh -c 'until mountpoint -q mount; do :; done'")
    server.signal(SIGSTOP)
  }

  private func end() {
    server.signal(SIGCONT)
    folder.shell("umount mount")
    _ = server.finish()
  }

  @Test(arguments: [[], ["--once", "--timeout", "60"], ["--wait-for-root", "--timeout", "4"]] as [[String]])
  func itIsReported(_ options: [String]) throws {
    defer { end() }
    let run = try Tool.start(["watch", folder["mount"]] + options).finish()
    #expect(run.errors.contains("\(folder["mount"]) does not answer"), "\(run.errors)")
    #expect(run.status == (options.first == "--wait-for-root" ? 0 : 1))
  }
}
