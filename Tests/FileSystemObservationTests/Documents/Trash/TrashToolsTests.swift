import FileIdentity
import FileSystemObservation
import FileTestSupport
import Glibc
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// What other programs trash is restored here, and what is trashed here is restored by them.
///
/// They look at every mount, and would wait for one that another test keeps from answering.
@Suite(.alone) struct TrashToolsTests {
  private let operations = DocumentOperations(tag: FileTag())
  private let fixture: DocumentFixture
  private let home: ScratchFolder
  private var places: TrashPlaces { TrashPlaces(home: home.path("Trash")) }
  private var folder: ScratchFolder { fixture.folder }

  init() throws {
    fixture = try DocumentFixture()
    home = try ScratchFolder()
    LeftoverMounts.detach()
  }

  private static func has(_ program: String) -> Bool {
    (try? Command.run("sh", "-c", "command -v \(program) > /dev/null")) != nil
  }

  /// Runs a command of the shell with the test's trash, and returns its output; what hangs is killed with its children.
  private func shell(_ command: String) throws -> [String] {
    let arguments = [
      "timeout", "--signal=KILL", "50", "env", "XDG_DATA_HOME=\(home.path)", "sh", "-c",
      "cd '\(folder.path)' && \(command)",
    ]
    let process = try ChildProcess(arguments)
    #expect(process.awaitEndOfOutput())
    return process.lines.elements
  }

  static let trashers = ["gio trash", "trash-put"]

  @Test(arguments: trashers) func whatTheyTrashIsRestored(_ tool: String) throws {
    let program = String(tool.prefix { $0 != " " })
    if !Self.has(program) { try Test.cancel("\(program) is not installed") }
    let tree = try TreeFixture(in: folder)
    // This version of trash-cli takes no names that are not UTF-8.
    let strange = folder.path.appending(bytes: Array("a b%c".utf8) + (program == "gio" ? [0xff] : []))
    try PlainFiles.write([1], to: strange)
    let before = try TreeSnapshot(of: folder.path)
    _ = try shell("\(tool) document.txt tree a*")
    #expect(folder.names() == [])
    let listed = operations.trashedItems(onFileSystemsOf: [], places: places)
    #expect(listed.problems == [])
    #expect(Set(listed.items.map(\.originalPath)) == [fixture.path, tree.path, strange])
    #expect(listed.items.contains { $0.uuid.map { UUIDBits($0) } == DocumentFixture.uuid })
    for item in listed.items { _ = try operations.restore(item) }
    #expect(try TreeSnapshot(of: folder.path) == before)
    #expect(try TreeSnapshot(of: home.path("Trash/info")).items.isEmpty)
  }

  @Test func trashCLIRestoresWhatIsTrashed() throws {
    if !Self.has("trash-restore") || !Self.has("trash-list") { try Test.cancel("trash-cli is not installed") }
    let path = folder.path("a b%c.txt")
    try PlainFiles.rename(fixture.path, to: path)
    let before = try TreeSnapshot(of: folder.path)
    _ = try operations.trash(path, places: places)
    #expect(try shell("trash-list").contains { $0.hasSuffix(" \(path)") })
    _ = try shell("echo 0 | trash-restore")
    #expect(try TreeSnapshot(of: folder.path) == before)
  }

  /// The list of `gio` comes from a service of the desktop (gvfs), which a session of its own starts.
  @Test func gioListsAndRestoresWhatIsTrashed() throws {
    for program in ["gio", "dbus-run-session"] where !Self.has(program) {
      try Test.cancel("\(program) is not installed")
    }
    let session = "dbus-run-session -- gio trash"
    guard try shell("\(session) --list 2> /dev/null && echo works").last == "works" else {
      try Test.cancel("gio cannot list the trash here: its service (gvfs) does not start")
    }
    let before = try TreeSnapshot(of: folder.path)
    _ = try operations.trash(fixture.path, places: places)
    #expect(try shell("\(session) --list").contains("trash:///document.txt\t\(fixture.path)"))
    _ = try shell("\(session) --restore trash:///document.txt")
    #expect(try TreeSnapshot(of: folder.path) == before)
  }

  @Test(.enabled(if: MemoryMount.isPossible, "only root may mount"), arguments: trashers)
  func alsoOnAnotherFileSystem(_ tool: String) throws {
    let program = String(tool.prefix { $0 != " " })
    if !Self.has(program) { try Test.cancel("\(program) is not installed") }
    guard let disk = try? DiskImage() else { try Test.cancel("no file system in a file can be mounted here") }
    let (theirs, ours) = (disk.path.appending("theirs.txt"), disk.path.appending("ours.txt"))
    for path in [theirs, ours] { try PlainFiles.write(Array(path.string.utf8), to: path) }
    _ = try shell("\(tool) '\(theirs)'")
    let item = try #require(operations.trashedItems(onFileSystemsOf: [disk.path], places: places).items.first)
    #expect(item.originalPath == theirs && item.path == disk.path.appending(".Trash-0/files/theirs.txt"))
    _ = try operations.restore(item)
    #expect(try PlainFiles.read(theirs) == Array(theirs.string.utf8))
    _ = try operations.trash(ours, places: places)
    if Self.has("trash-restore") {
      _ = try shell("cd '\(disk.path)' && echo 0 | trash-restore")
      #expect(try PlainFiles.read(ours) == Array(ours.string.utf8))
    }
  }
}
