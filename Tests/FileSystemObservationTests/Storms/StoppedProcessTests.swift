import FileSystemObservation
import FoundationEssentials
import Glibc
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// A storm that the observing process sleeps through: where the kernel's queue overflows, one rescan makes up for it.
@Suite(.alone) struct StoppedProcessTests {
  @Test(.enabled(if: WatchingProcess.tool != nil, "fsobserve is not built"), arguments: TestSource.toTest)
  func theFinalStateIsExactAndTheRescanIsTold(_ source: TestSource) async throws {
    let folder = try TestFolder()
    let root = folder.watched
    // Never less than the kernel's queue can hold (fs.inotify.max_queued_events is 16,384 by default, as
    // fs.fanotify.max_queued_events).
    let storm = Storm(files: max(10_000, Scale.of(20_000)), folders: 20)
    try storm.prepare(root)
    let observer = try await WatchingProcess(root, source)
    let tool = observer.process
    try await [observer].settle(root, "cookie")
    var before: [String: UUID] = [:]
    for file in storm.files { before[file.new] = try root.tag(file.old) }

    let mark = tool.lines.count
    tool.send(SIGSTOP)
    try storm.renameAll(in: root)
    for number in 0..<500 {
      try root.makeDirectories("new\(number)/sub")
      try root.write("new\(number)/sub/file.txt")
    }
    try root.rename("d0", "renamed")
    tool.send(SIGCONT)
    if !source.dropsNoEvent {
      _ = try await tool.awaitLine("the rescan", from: mark) { $0.contains("\"willBeginFullScan\"") }
      _ = try await tool.awaitLine("its end", from: mark, within: .seconds(120)) {
        $0.contains("\"didCompleteFullScan\"")
      }
    }
    let differences = try await [observer].differencesInTheEnd(root)
    #expect(differences == [])
    let scans = tool.lines.elements[mark...].count { $0.contains("\"willBeginFullScan\"") }
    #expect(scans == (source.dropsNoEvent ? 0 : 1))
    let wrong = before.filter { entry in
      let name = entry.key.hasPrefix("d0/") ? "renamed\(entry.key.dropFirst(2))" : entry.key
      return (try? root.tag(name)) != entry.value
    }
    #expect(wrong.count == 0, "for instance \(wrong.prefix(3))")
    #expect(tool.end(SIGTERM) == 0)
  }
}
