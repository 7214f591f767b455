import LinuxFileSystem
import Testing

@testable import FileSystemObservation

struct NumberSeriesTests {
  @Test(arguments: [
    ("app.log.1.gz", "app.log.2.gz", true), ("IMG_0001.jpg", "IMG_0002.jpg", true), ("9.jpg", "10.jpg", true),
    ("a1b2", "a1b3", true), ("app.log", "app.log.1", false), ("a1", "a1", false), ("a1", "b1", false),
    ("a", "b", false), ("a1", "a1.txt", false), ("a1b", "ab1", false), ("1", "2", true), ("a1", "a1b1", false),
  ])
  func namesThatDifferByANumber(_ one: String, _ other: String, _ isSeries: Bool) {
    #expect(NumberSeries.hasBoth(FileName(one), FileName(other)) == isSeries)
    #expect(NumberSeries.hasBoth(FileName(other), FileName(one)) == isSeries)
  }
}
