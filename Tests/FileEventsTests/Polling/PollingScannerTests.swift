import FileTestSupport
import Foundation
import LinuxFileSystem
import SystemPackage
import Testing

@testable import FileEvents

/// The real file system, looked at by hand.
struct PollingScannerTests {
  private let folder: ScratchFolder
  private let scanner = PollingScanner(PlainDirectories())

  init() throws {
    folder = try ScratchFolder()
  }

  private func open(_ name: String = "") throws -> DirectoryHandle {
    let path = name.isEmpty ? folder.path : folder.path(name)
    return DirectoryHandle(try OwnedDescriptor.openDirectory(at: path, for: .list))
  }

  private func mark(_ name: String = "", _ scope: MarkScope = .entries) throws -> MarkID {
    try scanner.mark(open(name), for: scope, at: .now)
  }

  /// What a pass finds, as `directory/name` with the kinds.
  ///
  /// Without that a directory itself has changed, as it does with its entries.
  private func pass(_ marks: [MarkID: String]) -> [String: HintKinds] {
    var found: [String: HintKinds] = [:]
    for hint in scanner.pass(at: .now).hints where hint.name != nil || hint.kinds != [.attributes, .directory] {
      found[(marks[hint.directory] ?? "?") + "/" + (hint.name?.description ?? "")] = hint.kinds
    }
    return found
  }

  @Test func nothingIsToldOfATreeAtRest() throws {
    try PlainFiles.write([1], to: folder.path("a"))
    try PlainFiles.makeFolder(at: folder.path("d"))
    let marks = [try mark(): "", try mark("d"): "d"]
    #expect(marks.keys.allSatisfy { $0.isOfPolling })
    for _ in 0..<3 { #expect(pass(marks).isEmpty) }
  }

  @Test func everyChangeIsTold() throws {
    for name in ["a", "b", "c", "d", "e"] { try PlainFiles.write([1], to: folder.path(name)) }
    let marks = [try mark(): ""]
    #expect(pass(marks).isEmpty)
    try PlainFiles.write([1, 2], to: folder.path("a"))
    try PlainFiles.remove(folder.path("b"))
    try PlainFiles.setPermissions(0o600, of: folder.path("c"))
    try PlainFiles.rename(folder.path("d"), to: folder.path("f"))
    #expect(pass(marks) == ["/a": .written, "/b": [], "/c": .attributes, "/d": [], "/f": []])
    #expect(pass(marks).isEmpty)
    try PlainFiles.write([1, 2, 3], to: folder.path("e"))
    #expect(pass(marks) == ["/e": .written], "where no name changed, too")
  }

  /// Directories whose times stay as they are, as those of exfat-fuse do, are listed every time.
  @Test(arguments: [true, false]) func whatTheTimesDoNotShowIsFoundByListing(_ timesFollowEntries: Bool) throws {
    try PlainFiles.write([1], to: folder.path("a"))
    let scanner = PollingScanner(StillDirectories(timesFollowEntries: timesFollowEntries))
    _ = try scanner.mark(open(), for: .entries, at: .now)
    for _ in 0..<2 { #expect(scanner.pass(at: .now).hints.isEmpty) }
    try PlainFiles.rename(folder.path("a"), to: folder.path("b"))
    try PlainFiles.write([1], to: folder.path("c"))
    let found = Set(scanner.pass(at: .now).hints.compactMap(\.name?.description))
    #expect(timesFollowEntries ? !found.contains("b") : found == ["a", "b", "c"])
  }

  /// Whoever lists it after it was marked may find a name that no pass has seen, before or after.
  @Test func aDirectoryThatChangedSinceItWasMarkedIsToBeListedAgain() throws {
    let marks = [try mark(): ""]
    try PlainFiles.write([], to: folder.path("a"))
    #expect(pass(marks) == ["/": .markAgain, "/a": []])
    try PlainFiles.write([], to: folder.path("b"))
    #expect(pass(marks)["/"] == nil, "nobody has listed it since")
  }

  /// The same of a name that is looked at because a pass has told of it.
  @Test func whatWasToldIsToldAgainIfNamesHaveChangedSince() throws {
    let marks = [try mark(): ""]
    #expect(pass(marks).isEmpty)
    try PlainFiles.write([], to: folder.path("a"))
    #expect(pass(marks) == ["/a": []])
    try PlainFiles.write([], to: folder.path("b"))
    #expect(pass(marks) == ["/a": [], "/b": []])
    #expect(pass(marks).isEmpty)
  }

  @Test func directoriesAreFollowedWherverTheyAreMoved() throws {
    for name in ["x", "y", "x/d", "x/d/e"] { try PlainFiles.makeFolder(at: folder.path(name)) }
    let marks = [try mark(): "", try mark("x"): "x", try mark("y"): "y", try mark("x/d"): "d", try mark("x/d/e"): "e"]
    try PlainFiles.rename(folder.path("x/d"), to: folder.path("y/d2"))
    try PlainFiles.write([], to: folder.path("y/d2/e/new"))
    var found = pass(marks)
    found.merge(pass(marks)) { one, _ in one }
    #expect(found["x/d"] == [] && found["y/d2"] == [] && found["e/new"] == [])
    try PlainFiles.write([], to: folder.path("y/d2/e/newer"))
    #expect(pass(marks)["e/newer"] == [])
  }

  @Test func whatIsLostIsToBeMarkedAgain() throws {
    let outside = try ScratchFolder()
    try PlainFiles.makeFolder(at: folder.path("d"))
    let (root, lost) = (try mark(), try mark("d"))
    let marks = [root: "", lost: "d"]
    #expect(pass(marks).isEmpty)
    try PlainFiles.rename(folder.path("d"), to: outside.path("d"))
    #expect(pass(marks) == ["/d": [], "d/": [.markAgain, .attributes, .directory]])
    #expect(pass(marks).isEmpty, "told once")
    let handle = DirectoryHandle(try OwnedDescriptor.openDirectory(at: outside.path("d"), for: .list))
    #expect(try scanner.mark(handle, for: .entries, at: .now) == lost)
    #expect(pass(marks).isEmpty)
    try PlainFiles.write([], to: outside.path("d/a"))
    #expect(pass(marks) == ["d/a": []])
    _ = scanner.unmark(lost)
    try PlainFiles.write([], to: outside.path("d/b"))
    #expect(pass(marks).isEmpty)
  }

  /// Where there are many that nothing polled leads to, they are not all kept open.
  @Test func fewDirectoriesAreKeptOpen() throws {
    let names = (0..<200).map { "d\($0)" }
    for name in names { try PlainFiles.makeFolder(at: folder.path(name)) }
    var marks: [MarkID: String] = [:]
    for name in names { marks[try mark(name)] = name }
    #expect(DescriptorCount.inside(folder.path("d").string) <= 100)
    #expect(pass(marks).isEmpty)
    for name in names { try PlainFiles.write([], to: folder.path(name + "/new")) }
    #expect(pass(marks).count == 200)
    try PlainFiles.rename(folder.path("d199"), to: folder.path("moved"))
    #expect(pass(marks) == ["d199/": [.markAgain, .attributes, .directory]], "its path leads to it no more")
    let again = DirectoryHandle(try OwnedDescriptor.openDirectory(at: folder.path("moved"), for: .list))
    #expect(marks[try scanner.mark(again, for: .entries, at: .now)] == "d199")
    #expect(pass(marks).isEmpty)
    try PlainFiles.write([], to: folder.path("moved/newer"))
    #expect(pass(marks) == ["d199/newer": []])
  }

  @Test func timesOfOwnTagsAreNotTold() throws {
    try PlainFiles.write([1], to: folder.path("a"))
    try PlainFiles.write([1], to: folder.path("b"))
    let mark = try mark("", .entriesWithoutAttributes)
    try PlainFiles.setPermissions(0o600, of: folder.path("a"))
    try PlainFiles.write([1, 2], to: folder.path("b"))
    #expect(try self.mark("", .entries) == mark)
    #expect(pass([mark: ""]) == ["/b": .written])
    try PlainFiles.setPermissions(0o644, of: folder.path("a"))
    #expect(pass([mark: ""]) == ["/a": .attributes])
  }

  @Test func aDirectoryIsToldOfItself() throws {
    try PlainFiles.makeFolder(at: folder.path("d"))
    let (root, inner) = (try mark(), try mark("d"))
    try PlainFiles.setPermissions(0o700, of: folder.path("d"))
    let hints = scanner.pass(at: .now).hints
    #expect(hints.contains(Hint(directory: inner, kinds: [.attributes, .directory])))
    #expect(hints.allSatisfy { $0.directory == root || $0.name == nil })
  }

  @Test func theDirectoriesAboveAreToldOfAsThemselves() throws {
    try PlainFiles.makeFolder(at: folder.path("root"))
    let mark = try mark("", .departures)
    #expect(pass([mark: "above"]).isEmpty)
    try PlainFiles.rename(folder.path("root"), to: folder.path("other"))
    #expect(pass([mark: "above"]) == ["above/": .selfMoved])
  }

  @Test func directoriesThatWantMarksAreOfferedUntilThereIsNoMoreRoom() throws {
    for name in ["a", "b", "c"] { try PlainFiles.makeFolder(at: folder.path(name)) }
    for name in ["", "a", "b", "c"] { _ = try scanner.mark(open(name), for: .entries, wantsMark: true, at: .now) }
    #expect(scanner.wantingCount == 4)
    var room = 2
    let findings = scanner.pass(at: .now) { directory, _ in
      room -= 1
      return room >= 0 ? MarkID(rawValue: 7) : nil
    }
    #expect(findings.hints.count { $0.kinds == [.markAgain, .attributes, .directory] } == 2)
    #expect(room == -1, "asked once in vain")
  }

  @Test func whatFanotifyDoesNotTellOfADirectoryBeforeItIsPolledIsToldOnce() throws {
    let mark = try scanner.mark(open(""), for: .entries, wantsMark: true, at: .now)
    #expect(scanner.pass(at: .now).hints == [Hint(directory: mark, kinds: [.attributes, .directory])])
    #expect(scanner.pass(at: .now).hints == [])
  }

  @Test func aMarkThatNobodyElseKnowsOfIsGivenToWhoeverLetsGoOfItsDirectory() throws {
    let mark = try scanner.mark(open(""), for: .entries, wantsMark: true, at: .now)
    let taken = MarkID(rawValue: 7)
    _ = scanner.pass(at: .now) { _, _ in taken }
    #expect(scanner.unmark(mark) == taken)
    #expect(scanner.unmark(mark) == nil)
  }
}

/// The machine's directories.
struct PlainDirectories: DirectoryAccess {
  func openRoot(at path: FilePath) throws(Errno) -> DirectoryHandle {
    DirectoryHandle(try OwnedDescriptor.openDirectory(at: path, for: .search))
  }

  func path(of directory: DirectoryHandle) -> FilePath? { FilePath.ofOpen(directory.descriptor) }

  func openDirectory(
    _ name: NameView, in directory: DirectoryHandle, for access: OwnedDescriptor.Access
  ) throws(Errno) -> DirectoryHandle {
    try directory.open(name, for: access)
  }

  func reopenForListing(_ directory: DirectoryHandle) throws(Errno) -> DirectoryHandle {
    DirectoryHandle(try directory.descriptor.reopenedForListing())
  }

  func status(of directory: DirectoryHandle) throws(Errno) -> FileStatus { try FileStatus.of(directory.descriptor) }

  func status(of name: NameView, in directory: DirectoryHandle) throws(Errno) -> FileStatus {
    try FileStatus.of(name, in: directory.descriptor)
  }

  func list(_ directory: DirectoryHandle, _ body: (NameView, ListedKind, UInt64) -> Void) throws(Errno) {
    try DirectoryReader().forEachEntry(of: directory.descriptor, body)
  }
}

/// The machine's directories, with times that never change.
struct StillDirectories: DirectoryAccess {
  private let plain = PlainDirectories()
  private let timesFollow: Bool

  init(timesFollowEntries: Bool) {
    timesFollow = timesFollowEntries
  }

  func timesFollowEntries(of directory: DirectoryHandle) -> Bool { timesFollow }

  func openRoot(at path: FilePath) throws(Errno) -> DirectoryHandle { try plain.openRoot(at: path) }

  func openDirectory(
    _ name: NameView, in directory: DirectoryHandle, for access: OwnedDescriptor.Access
  ) throws(Errno) -> DirectoryHandle {
    try plain.openDirectory(name, in: directory, for: access)
  }

  func reopenForListing(_ directory: DirectoryHandle) throws(Errno) -> DirectoryHandle {
    try plain.reopenForListing(directory)
  }

  func status(of directory: DirectoryHandle) throws(Errno) -> FileStatus {
    var status = try plain.status(of: directory)
    (status.modified, status.changed) = (0, 0)
    return status
  }

  func status(of name: NameView, in directory: DirectoryHandle) throws(Errno) -> FileStatus {
    try plain.status(of: name, in: directory)
  }

  func list(_ directory: DirectoryHandle, _ body: (NameView, ListedKind, UInt64) -> Void) throws(Errno) {
    try plain.list(directory, body)
  }
}

/// Descriptors that this process has open: other tests have theirs.
enum DescriptorCount {
  static func inside(_ folder: String) -> Int {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return numbers.count { number in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
      return target?.hasPrefix(folder) ?? false
    }
  }
}
