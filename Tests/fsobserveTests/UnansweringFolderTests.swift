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

  @Test(arguments: ["doctor", "untag"]) func aCommandGivesUp(_ command: String) throws {
    defer { end() }
    let run = try Tool.start([command, folder["mount"]]).finish()
    #expect(run.errors.contains("\(folder["mount"]) does not answer"), "\(run.errors)")
    #expect(run.status == 1)
  }

  @Test func theDoctorLeavesOutAMountThatDoesNotAnswer() throws {
    defer { end() }
    let run = try Tool.start(["doctor", folder[""]]).finish()
    #expect(run.output.contains("1 file system did not answer, for instance \(folder["mount"])"), "\(run.output)")
    #expect(run.output.contains("2 folders and 1 file"), "\(run.output)")
    #expect(run.status == 1)
  }

  @Test func theOtherTagsAreRemoved() throws {
    defer { end() }
    folder.shell("touch plain.txt; setfattr -n user.fsobserver.uuid -v x plain.txt")
    let run = try Tool.start(["untag", folder[""]]).finish()
    #expect(run.output == "tags removed: 1\n")
    #expect(run.errors.contains("\(folder["mount"]): "), "\(run.errors)")
    #expect(run.status == 1)
  }
}
