import FileEvents
import FileSystemObservation
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// What the file system of the test folders can do, and that the library makes of it what can be made.
///
/// What is found out is printed, each in a line that begins with "here:", for `Scripts/matrix`.
@Suite(.light) struct PossibilityTests {
  private func tell(_ what: String) { print("here: \(what)") }

  private func opened(_ folder: TestFolder) throws -> DirectoryHandle {
    DirectoryHandle(try OwnedDescriptor.openDirectory(at: FilePath(folder.watched.path), for: .search))
  }

  @Test func aFileIsKnownByItsTagWhereItCanHaveOne() async throws {
    for (ability, errno) in Ability.refusals.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      tell("no \(ability.rawValue) (\(errno.name))")
    }
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let expected: FileSystemItem.IdentityKind = Ability.tags.isPossible ? .tag : .inode
    #expect(observed.observer.snapshot().map(\.identity) == [expected])
    let codes = observed.recorder.diagnostics.map(\.code)
    #expect(codes.contains(.tagNotWritten) == !Ability.tags.isPossible, "the app is told")
  }

  /// A mark that the kernel grants is had from the source, and none is had that it refuses.
  @Test(arguments: [true, false]) func fanotifyIsHadWhereTheKernelGrantsIt(_ usesPrivilege: Bool) throws {
    let folder = try TestFolder()
    let directory = try opened(folder)
    let group = try FanotifyInstance(usingPrivilege: usesPrivilege)
    if usesPrivilege && !group.isPrivileged { try Test.cancel("needs the capability CAP_SYS_ADMIN") }
    let mask = MarkScope.entries.fanotifyMask
    let whole =
      group.isPrivileged
      ? refusal { () throws(Errno) in
        try group.markFileSystem(of: directory.descriptor, for: [.create, .onDirectory])
      } : nil
    if let whole { tell("fanotify: no mark of the whole file system (\(whole.name)): each folder has one") }
    let single = refusal { () throws(Errno) in try group.mark(directory.descriptor, for: mask) }
    if let single { tell("fanotify: no mark of a folder (\(single.name))") }
    let source = try FanotifySource(coverage: usesPrivilege ? .fileSystems : .directories)
    let had = refusal { () throws(Errno) in _ = try source.mark(directory, for: .entries) }
    let isGranted = single == nil || group.isPrivileged && whole == nil
    #expect((had == nil) == isGranted, "\(had.map(\.name) ?? "granted")")
  }

  private func refusal(_ call: () throws(Errno) -> Void) -> Errno? {
    do throws(Errno) {
      try call()
      return nil
    } catch {
      return error
    }
  }

  /// What an observer does that may choose.
  @Test func theSourceIsChosenByTheFileSystem() throws {
    let folder = try TestFolder()
    let choice = try SourceChoice.for(try opened(folder))
    tell("left alone, an observer uses \(choice.name.rawValue): \(choice.reason)")
    #expect(choice.limit == nil)
  }
}
