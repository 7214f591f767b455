import FileSystemObservation
import FileTestSupport
import Foundation
import ObservationCompatibility
import SystemPackage
import Testing

/// Notifications about the names in a directory.
@Suite(.timeLimit(.minutes(10))) struct DirectoryMonitorTests {
  private let folder: ScratchFolder
  private let monitor = DirectoryMonitor()
  private let log = Log<String>()

  init() throws {
    folder = try ScratchFolder()
    for name in ["b", "d"] { try PlainFiles.write(name.utf8, to: folder.path(name)) }
  }

  /// Logs what is posted, until the result is released.
  private func listen() -> any NSObjectProtocol {
    NotificationCenter.default.addObserver(forName: .filesChanged, object: monitor, queue: nil) { [log] in
      let inserted = $0.userInfo?[DirectoryMonitor.UserInfoKey.insertedNames] as? [String] ?? []
      let deleted = $0.userInfo?[DirectoryMonitor.UserInfoKey.deletedNames] as? [String] ?? []
      let difference = $0.userInfo?[DirectoryMonitor.UserInfoKey.difference] as? OrderedListDifference
      let words = inserted.map { "+\($0)" } + deleted.map { "-\($0)" }
      log.append(words.joined() + " \(difference?.insertions ?? []) \(difference?.deletions ?? [])")
    }
  }

  @Test func insertedAndDeletedNamesArePosted() async throws {
    let observer = listen()
    try monitor.startMonitoring(directory: folder.path)
    #expect(monitor.names == ["b", "d"] && monitor.directory == folder.path)
    try PlainFiles.write("c".utf8, to: folder.path("c"))
    #expect(await log.gets("+c [1] []"))
    #expect(monitor.names == ["b", "c", "d"])
    try PlainFiles.remove(folder.path("b"))
    #expect(await log.gets("-b [] [0]"))
    try PlainFiles.rename(folder.path("c"), to: folder.path("e"))
    #expect(await log.gets("+e-c [1] [0]"))
    // A change of contents is none of the names, nor is a hidden name.
    try PlainFiles.write("other".utf8, to: folder.path("d"))
    try PlainFiles.write("hidden".utf8, to: folder.path(".h"))
    try PlainFiles.write("f".utf8, to: folder.path("f"))
    #expect(await log.gets("+f [2] []"))
    #expect(log.entries.count == 4 && monitor.names == ["d", "e", "f"])
    monitor.stopMonitoring()
    NotificationCenter.default.removeObserver(observer)
  }

  @Test func anotherDirectoryReplacesTheFormer() async throws {
    let observer = listen()
    let other = try ScratchFolder()
    try monitor.startMonitoring(directory: other.path)
    try monitor.startMonitoring(directory: folder.path)
    #expect(monitor.directory == folder.path && monitor.names == ["b", "d"])
    try PlainFiles.write("x".utf8, to: other.path("x"))
    try PlainFiles.write("y".utf8, to: folder.path("y"))
    #expect(await log.gets("+y [2] []"))
    #expect(log.entries.count == 1)
    monitor.stopMonitoring()
    #expect(monitor.directory == nil && monitor.names == ["b", "d", "y"])
    NotificationCenter.default.removeObserver(observer)
  }

  @Test func whatIsMissingIsAnError() {
    #expect(throws: FileSystemObserverError.self) { try monitor.startMonitoring(directory: folder.path("missing")) }
    #expect(monitor.directory == nil)
    monitor.stopMonitoring()
  }

  @Test func theSharedMonitorIsForTheDocuments() throws {
    let documents = FileSystemObserver.Configuration().directory
    do throws(FileSystemObserverError) {
      try DirectoryMonitor.shared.startMonitoringDocuments()
      #expect(DirectoryMonitor.shared.directory == documents)
    } catch {
      #expect(error.path == documents)
    }
    DirectoryMonitor.shared.stopMonitoring()
  }

  /// In all pairs of lists of up to five elements.
  @Test func aDifferenceOfOrderedListsLeadsFromOneToTheOther() {
    for number in 0..<1024 {
      // Each number is two lists: which of five elements are in the old one, and which in the new.
      let lists = [number % 32, number / 32].map { bits in (0..<5).filter { bits >> $0 & 1 == 1 } }
      let difference = OrderedListDifference(from: lists[0], to: lists[1])
      #expect(difference.deletions == lists[0].indices.filter { !lists[1].contains(lists[0][$0]) })
      #expect(difference.insertions == lists[1].indices.filter { !lists[0].contains(lists[1][$0]) })
      #expect(difference.isEmpty == (lists[0] == lists[1]))
    }
  }
}
