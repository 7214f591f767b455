import FileTestSupport
import Foundation
import ObservationCompatibility
import SystemPackage
import Testing

/// An object whose file system is unmounted.
@Suite(.timeLimit(.minutes(10)), .enabled(if: geteuid() == 0, "only root may mount")) struct MountedObjectTests {
  private func run(_ program: String, _ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(program) \(arguments)")
  }

  @Test func accessIsRevoked() async throws {
    let folder = try ScratchFolder()
    let place = folder.path("m")
    try PlainFiles.makeFolder(at: place)
    try run("mount", "-t", "tmpfs", "none", place.string)
    try PlainFiles.write("text".utf8, to: place.appending("a.txt"))
    let log = Log<FileSystemObjectMonitor.Event>()
    let url = URL(filePath: place.appending("a.txt").string)
    let queue = OperationQueue()
    let monitor = FileSystemObjectMonitor(fileURL: url, queue: queue) { event in log.append(event) }
    monitor.startMonitoring()
    try run("umount", "-l", place.string)
    #expect(await log.gets(.accessWasRevoked(url)))
    #expect(log.entries == [.accessWasRevoked(url)])
    monitor.stopMonitoring()
  }
}
