import FileIdentity
import LinuxFileSystem
import Testing

struct FileKeyTests {
  private func key(_ kind: FileKind, born: Int64) -> FileKey {
    FileKey(FileStatus(device: 1, inode: 2, born: born, kind: kind))
  }

  /// The number of a file that was removed may be that of a new folder at once.
  @Test func withoutBirthTimesNoFolderIsTakenForAFile() {
    #expect(Set([FileKind.file, .directory, .symlink].map { key($0, born: 0) }).count == 3)
    #expect(key(.file, born: 0) == FileKey(device: 1, inode: 2, born: 0))
  }

  @Test func theBirthTimeTellsFilesApart() {
    #expect(key(.file, born: 10) != key(.file, born: 11))
    #expect(key(.directory, born: 10) == FileKey(device: 1, inode: 2, born: 10))
  }
}
