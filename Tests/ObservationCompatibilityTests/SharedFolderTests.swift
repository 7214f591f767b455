import FileSystemObservation
import FileTestSupport
import SystemPackage
import Testing

@testable import ObservationCompatibility

/// The monitors of one folder share its observer, as long as there is one.
@Suite(.timeLimit(.minutes(10))) struct SharedFolderTests {
  @Test func oneFolderHasOneObserver() throws {
    let folder = try ScratchFolder()
    let shared = try SharedFolder.at(folder.path, depth: 0)
    #expect(try SharedFolder.at(folder.path, depth: 0) === shared)
    #expect(try SharedFolder.at(folder.path, depth: 1) !== shared)
    #expect(shared.observer.isRunning && shared.observer.configuration.tagging == .never)
  }

  @Test func itEndsWithTheLastMonitor() throws {
    let folder = try ScratchFolder()
    var shared: SharedFolder? = try SharedFolder.at(folder.path, depth: 0)
    let observer = try #require(shared?.observer)
    let other = try SharedFolder.at(folder.path, depth: 0)
    shared = nil
    #expect(observer.isRunning)
    withExtendedLifetime(other) {}
  }

  @Test func anObserverThatFollowedItsFolderIsNotThatOfAnother() async throws {
    let folder = try ScratchFolder()
    try PlainFiles.makeFolder(at: folder.path("d"))
    let shared = try SharedFolder.at(folder.path("d"), depth: 0)
    try PlainFiles.rename(folder.path("d"), to: folder.path("e"))
    try PlainFiles.makeFolder(at: folder.path("d"))
    #expect(try await comesTrue { shared.observer.directory == folder.path("e") })
    #expect(try SharedFolder.at(folder.path("d"), depth: 0) !== shared)
  }

  @Test func oneThatHasEndedIsReplaced() async throws {
    let folder = try ScratchFolder()
    try PlainFiles.makeFolder(at: folder.path("d"))
    let shared = try SharedFolder.at(folder.path("d"), depth: 0)
    try PlainFiles.removeFolder(folder.path("d"))
    #expect(try await comesTrue { !shared.observer.isRunning })
    #expect(throws: FileSystemObserverError.self) { try SharedFolder.at(folder.path("d"), depth: 0) }
    try PlainFiles.makeFolder(at: folder.path("d"))
    let other = try SharedFolder.at(folder.path("d"), depth: 0)
    #expect(other !== shared && other.observer.isRunning)
  }
}
