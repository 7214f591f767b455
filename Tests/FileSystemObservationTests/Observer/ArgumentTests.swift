import FoundationEssentials
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

@testable import FileSystemObservation

/// What an app gives that cannot be meant is refused before anything is touched, in a sentence that says what and why.
@Suite(.light) struct ArgumentTests {
  private func refusal(_ observer: FileSystemObserver) throws -> FileSystemObserverError {
    defer { observer.stop() }
    let error = try #require(throws: FileSystemObserverError.self) { try observer.start() }
    #expect(error.code == .invalidArgument)
    return error
  }

  @Test(arguments: [
    ("https://example.org/tmp", UnusableURL.noFile), ("tmp", .noFile), ("/tmp", .noFile), ("ftp:/tmp", .noFile),
    ("file://elsewhere/tmp", .anotherHost), ("file:", .empty), ("file://", .empty), ("file:tmp", .relative),
    ("file:///tmp%00/x", .nul),
  ])
  func aURLThatNamesNoFileHere(_ text: String, _ reason: UnusableURL) throws {
    let url = try #require(URL(string: text))
    #expect(throws: reason) { try FilePath(url) }
    let observer = FileSystemObserver(directory: url)
    #expect(try refusal(observer).message.contains(text))
    #expect(observer.directoryURL == url)
    #expect(observer.uuid(forItemAt: FilePath("/tmp")) == nil)
    #expect(observer.snapshot().isEmpty)
    let operations: [(FileSystemObserver) throws -> Void] = [
      { try $0.replaceContents(of: url, with: []) },
      { _ = try $0.duplicateItem(at: url, to: URL(filePath: "/tmp/x")) },
      { _ = try $0.duplicateItem(at: URL(filePath: "/etc/passwd"), to: url) },
    ]
    for operation in operations {
      let error = #expect(throws: FileSystemObserverError.self) { try operation(observer) }
      #expect(error?.code == .invalidArgument)
    }
  }

  /// Foundation makes the working directory of it, which nobody meant.
  @Test func anEmptyPath() throws {
    #expect(try refusal(FileSystemObserver(directory: URL(filePath: ""))).message.contains("empty"))
    _ = try refusal(FileSystemObserver(directory: FilePath("")))
    _ = try refusal(FileSystemObserver(directory: FilePath("tmp")))
  }

  @Test(arguments: [
    ("file:///tmp/a", "/tmp/a"), ("FILE:///tmp/", "/tmp"), ("file://localhost/tmp", "/tmp"),
    ("file:///a/../b/./c", "/b/c"),
    ("file:///a%20b%25", "/a b%"), ("file:///", "/"),
  ])
  func aFileURLHasAPath(_ text: String, _ path: FilePath) throws {
    #expect(try FilePath(try #require(URL(string: text))) == path)
  }

  @Test func aPathNeedNotBeUTF8() throws {
    let url = try #require(URL(string: "file:///tmp/caf%E9"))
    #expect(try FilePath(url).bytes == Array("/tmp/caf".utf8) + [0xe9])
  }

  /// As Foundation has it: resolved when the URL is made.
  @Test func aRelativeFileURLIsTakenFromTheWorkingDirectory() throws {
    let base = URL(filePath: "/base/", directoryHint: .isDirectory)
    #expect(try FilePath(URL(filePath: "x/y", relativeTo: base)) == "/base/x/y")
    #expect(try FilePath(URL(filePath: ".")).isAbsolute)
  }

  @Test func aURLThatIsSetLaterMayMendIt() throws {
    let folder = try TestFolder()
    let observer = FileSystemObserver(directory: try #require(URL(string: "https://example.org/tmp")))
    _ = try refusal(observer)
    try observer.reconfigure(FileSystemObserver.Configuration(directory: URL(filePath: folder.watched.path)))
    try observer.start()
    observer.stop()
  }

  @Test(arguments: [
    "", "user.", "trusted.uuid", "User.uuid", "user.a\0b", "user." + String(repeating: "x", count: 251),
    "user." + String(repeating: "é", count: 126), "user." + String(repeating: "x", count: 300),
  ])
  func aTagNameThatNoAttributeHas(_ name: String) throws {
    let folder = try TestFolder()
    var configuration = FileSystemObserver.Configuration(directory: FilePath(folder.watched.path))
    configuration.tagName = name
    _ = try refusal(FileSystemObserver(configuration))
  }

  @Test func aTagNameThatIsOnlyItsBeginningIsExplained() throws {
    let error = #expect(throws: FileSystemObserverError.self) { try FileSystemIdentity(tagName: "user.") }
    #expect(error?.message.contains("\"user.\" and a name") == true)
  }

  @Test func aTagNameOf255BytesIsUsed() async throws {
    var options = FileSystemObserver.Configuration()
    options.tagName = "user." + String(repeating: "x", count: 250)
    let observed = try await ObservedFolder.begin(options: options) { try $0.watched.write("a") }
    #expect(observed.recorder.scans.first?.taggedCount ?? 0 > 0)
  }

  @Test(arguments: ["deletionDelay", "quietPeriod", "announcementDelay", "modificationInterval"])
  func aWindowThatIsNegativeOrHuge(_ window: String) throws {
    let folder = try TestFolder()
    for value in [Duration.nanoseconds(-1), .seconds(3601), .seconds(Int64.max), .seconds(Int64.min)] {
      var options = FileSystemObserver.Configuration(directory: FilePath(folder.watched.path))
      switch window {
      case "deletionDelay": options.deletionDelay = value
      case "quietPeriod": options.quietPeriod = value
      case "modificationInterval": options.modificationInterval = value
      default: options.announcementDelay = value
      }
      let error = try refusal(FileSystemObserver(options))
      #expect(error.message.contains(window) && error.message.contains("3600"))
    }
  }

  @Test func levelsThatAreNegative() throws {
    let folder = try TestFolder()
    let observer = FileSystemObserver(directory: URL(filePath: folder.watched.path))
    observer.includedDirectoryLevels = -1
    #expect(try refusal(observer).message.contains("depth is -1"))
  }

  @Test(arguments: ["", "[", "a\\", "a\0b"]) func aPatternThatIsMalformed(_ pattern: String) throws {
    let folder = try TestFolder()
    let observer = FileSystemObserver(directory: URL(filePath: folder.watched.path))
    observer.excludedItems = [pattern]
    _ = try refusal(observer)
    observer.excludedItems = []
    var configuration = observer.configuration
    configuration.namePatterns.backups = [pattern]
    try observer.reconfigure(configuration)
    _ = try refusal(observer)
  }
}
