import FileIdentity
import Glibc
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import Testing

@testable import FileSystemObservation

/// A file that has left the tree is looked for in the trash, however much is in that.
struct TrashCostTests {
  private let folder: TestFolder
  private let files = HostFileSystem(tag: FileTag())
  private let root: DirectoryHandle
  private let trash: String

  init() throws {
    folder = try TestFolder()
    root = try files.openRoot(at: FilePath(folder.watched.path))
    trash = ".Trash-\(UserEnvironment.userID)/files"
    try folder.watched.makeDirectories(trash)
  }

  /// Makes a file, and moves it to the trash under a name.
  private func moveToTrash(_ name: String, as other: String) throws -> FileKey {
    try folder.watched.write(name)
    try folder.watched.rename(name, "\(trash)/\(other)")
    return FileKey(try FileStatus.of(path: FilePath(folder.watched["\(trash)/\(other)"])))
  }

  private func isInTrash(_ key: FileKey, _ name: String, leftBy since: MonotonicTime = .now) -> Bool {
    files.inodesInTrash(among: [TrashQuestion(key: key, name: FileName(name), since: since)], root: root) == [key]
  }

  /// How often the trash in the observed folder has been listed.
  private var listingCount: Int { files.trash.listingCount(of: FilePath(folder.watched[trash])) }

  @Test func aFileThatKeepsItsNameIsFoundWithoutAListing() throws {
    for number in 0..<20 {
      let key = try moveToTrash("a\(number)", as: "a\(number)")
      #expect(isInTrash(key, "a\(number)"))
    }
    #expect(listingCount == 0)
  }

  /// File managers give another name where the trash has that one.
  @Test func manyFilesUnderOtherNamesAreFoundByOneListing() throws {
    let keys = try (0..<20).map { try moveToTrash("a\($0)", as: "a\($0).2") }
    let since = MonotonicTime.now
    for (number, key) in keys.enumerated() { #expect(isInTrash(key, "a\(number)", leftBy: since)) }
    #expect(listingCount == 1)
  }

  @Test func whatCameToTheTrashAfterAListingIsFound() throws {
    #expect(try isInTrash(moveToTrash("a", as: "b"), "a"))
    #expect(try isInTrash(moveToTrash("c", as: "d"), "c"))
  }

  /// Files that go elsewhere are not in a trash that stays as it is.
  @Test func aTrashThatStaysAsItIsIsListedOnce() throws {
    let old = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
    var times = [old, old]
    unsafe utimensat(AT_FDCWD, folder.watched[trash], &times, 0)
    try folder.watched.write("a")
    let key = FileKey(try FileStatus.of(path: FilePath(folder.watched["a"])))
    #expect(!isInTrash(key, "a"))
    for _ in 0..<20 { #expect(!isInTrash(key, "a")) }
    #expect(listingCount == 1)
  }
}
