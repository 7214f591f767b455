import LinuxFileSystem
import Testing

@testable import FileSystemObservation

struct NameRulesTests {
  /// A name that goes on after the document's extension is a backup's.
  @Test(arguments: [
    ("photo.jpg", "photo.jpg_original", true), ("photo.jpg", "photo.jpg before crop", true),
    ("a.conf", "a.conf.dpkg-old", true), ("report.txt", "report.txt.~x~", true), ("a.b.odt", "a.b.odt-früher", true),
    ("app.log", "app.log.1", false), ("app.log", "app.log-20261129", false), ("notes.md", "notes.mdx", false),
    ("notes", "notes_original", false), ("Version 1.2", "Version 1.2 final", false), ("a.txt", "b.txt_old", false),
    ("film.mp4", "film.mp4.part", false), ("film.mp4", "film.mp4.crdownload", false), ("a.db", "a.db-wal", false),
    (".profile", ".profile-mine", false), ("a.", "a._b", false), ("photo.jpg", "photo.jpg", false),
  ])
  func aContinuedNameIsABackup(_ name: String, _ backup: String, _ isOne: Bool) {
    #expect(NameRules().isBackup(FileName(backup), of: FileName(name)) == isOne)
    var patterns = FileSystemObserver.NamePatterns()
    patterns.includesContinuedNames = false
    #expect(!NameRules(patterns).isBackup(FileName(backup), of: FileName(name)))
  }

  /// Names that a pattern takes for those of backups.
  @Test(arguments: ["report.orig", "report.bak", "report.old", "report.2024.bak", "report~", "report.~1~"])
  func aDocumentIsNotItsOwnBackup(_ name: String) {
    #expect(!NameRules().isBackup(FileName(name), of: FileName(name)))
  }
}
