import FileSystemObservation
import Foundation
import ObservationTestSupport
import SystemPackage
import Testing

/// What is found out about a folder before it is observed.
@Suite struct ExaminationTests {
  private let test: TestFolder

  init() throws {
    test = try TestFolder("examination")
    try test.watched.folder("sub").makeDirectory()
    for name in ["a", "sub/b", ".c"] { try test.watched.write(name) }
  }

  private var directory: FilePath { FilePath(test.watched.path) }

  @Test func aHealthyFolderNeedsNothing() throws {
    let examination = try FileSystemObserver.examine(directory)
    #expect(examination.directory == directory)
    #expect(examination.directoryCount == 2 && examination.fileCount == 2 && examination.taggedCount == 0)
    #expect(try FileSystemObserver.examine(directory, includesHiddenItems: true).fileCount == 3)
    let mount = try #require(examination.mounts.first)
    #expect(mount.path == directory && mount.directoryCount == 2 && mount.source != .automatic)
    #expect(examination.limits.contains { $0.resource == .processDescriptors && $0.isEnough && $0.command == nil })
    #expect(examination.unreadable.count == 0 && examination.unreadable.path == nil)
    #expect(examination.needsAttention == !examination.problems.isEmpty)
  }

  @Test func tagsAreCountedByTheirName() throws {
    let identity = try FileSystemIdentity(tagName: "user.other.uuid")
    _ = try identity.claim(forItemAt: directory.appending("a"))
    #expect(try FileSystemObserver.examine(directory).taggedCount == 0)
    #expect(try FileSystemObserver.examine(directory, tagName: "user.other.uuid").taggedCount == 1)
  }

  @Test func itComesBackFromItsEncoding() throws {
    try test.watched.folder("sub/.git").makeDirectory()
    let examination = try FileSystemObserver.examine(URL(filePath: test.watched.path))
    #expect(examination.gitWorkingTrees.contains { $0.path == directory.appending("sub") })
    let data = try JSONEncoder().encode(examination)
    #expect(try JSONDecoder().decode(FileSystemObserver.Examination.self, from: data) == examination)
    #expect(!examination.description.contains("\n"))
  }

  @Test(
    arguments: [
      ("/nowhere/at/all", FileSystemObserverError.Code.rootNotFound), ("relative", .invalidArgument),
      ("/dev/null", .rootNotDirectory),
    ] as [(FilePath, FileSystemObserverError.Code)])
  func whatCannotBeExaminedIsRefused(_ path: FilePath, _ code: FileSystemObserverError.Code) {
    #expect { try FileSystemObserver.examine(path) } throws: { ($0 as? FileSystemObserverError)?.code == code }
  }

  @Test func aConfigurationIsCheckedBeforeTheStart() throws {
    var configuration = FileSystemObserver.Configuration(directory: directory)
    try configuration.check()
    configuration.excludedPatterns = ["[a"]
    #expect { try configuration.check() } throws: { ($0 as? FileSystemObserverError)?.code == .invalidArgument }
  }
}
