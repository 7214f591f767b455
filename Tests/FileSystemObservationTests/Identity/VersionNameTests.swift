import LinuxFileSystem
import Testing

@testable import FileSystemObservation

struct VersionNameTests {
  @Test(arguments: [
    ("film.mkv", "film.mkv.!sync"), ("film.mkv", "film.mkvAb12Cd"), ("film.mp4", "film.tmp.mp4"),
    ("film.mp4", "film.tmp"), ("film.mp4", "#film.mp4#"), ("film.mp4", "new film.mp4"), ("film.mp4", "film (1).mp4"),
    ("Makefile", "Makefile.new"), ("naïve.txt", "naïve-2.txt"), ("report", "report-2"),
  ])
  func isMadeFromTheDocuments(_ document: String, _ name: String) {
    #expect(VersionName(of: FileName(document)).isMade(FileName(name)))
  }

  @Test(arguments: [
    // Other words.
    ("film.mkv", "films.mkv"), ("film.mkv", "myfilm.mkv"), ("film.mkv", "x.mkv"), ("a", "data"), ("ä.txt", "bä.txt"),
    // Members of a series.
    ("log.2", "log.1"), ("page 2", "page 1"), ("p1", "p10"),
    // The longer name is made from the shorter, not the reverse.
    ("report.old", "report"), ("log.prev", "log"), ("film.tmp.mp4", "film.mp4"), ("report", "report"),
    // What follows the dot is no extension.
    ("Dr. Who", "Dr Strange"), (".profile", "old profile"),
  ])
  func isNot(_ document: String, _ name: String) {
    #expect(!VersionName(of: FileName(document)).isMade(FileName(name)))
  }
}
