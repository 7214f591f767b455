import FileSystemObservation
import Testing

/// No pattern takes more than a few million steps, however its asterisks lie.
@Suite struct PatternCostTests {
  private static let longName = String(repeating: "a", count: 255)
  private static let deepPath = String(repeating: "a/", count: 500)

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      (String(repeating: "*a", count: 100) + "b", longName),
      (String(repeating: "a*", count: 100) + "?b", longName),
      ("/" + String(repeating: "*[ab]", count: 100) + "b", longName),
      (String(repeating: "**/a/", count: 100) + "b", deepPath + "a"),
      (String(repeating: "**/*a*/", count: 100) + "b", deepPath + "a"),
      (String(repeating: "*/", count: 400) + "**/*a*a*a*a*b", deepPath + longName),
    ])
  func manyAsterisks(_ pattern: String, _ path: String) throws {
    let list = try PathPatternList([pattern])
    let path = ItemPath(path)
    let isMatched = list.matches(path.name.span, in: path.directory.span, isDirectory: false)
    #expect(!isMatched)
  }
}
