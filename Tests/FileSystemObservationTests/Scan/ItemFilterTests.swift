import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Which items a filter lets through.
@Suite struct ItemFilterTests {
  private func skips(_ filter: ItemFilter, _ path: String, isKnown: Bool = true) -> Bool {
    let item = ItemPath(path)
    return FileName(bytes: item.name).withView { name in
      let isDirectory = isKnown ? item.isDirectory : nil
      return filter.reasonToSkip(name, isDirectory: isDirectory, in: filter.directory(item.directory)) != nil
    }
  }

  @Test func filesThatAreNotIncludedAreSkippedAndDirectoriesAreNot() throws {
    let filter = ItemFilter(included: try PathPatternList(["*.md", "/docs", "!draft.md"]))
    for path in ["a.md", "x/a.md", "x/", "x/y/", "docs/", "docs/a", "docs/x/a.txt", "docs/draft.md"] {
      #expect(!skips(filter, path), "\(path)")
    }
    for path in ["a.txt", "x/a", "x/docs/a", "draft.md", "x/draft.md"] { #expect(skips(filter, path), "\(path)") }
  }

  @Test func exclusionComesFirst() throws {
    let filter = ItemFilter(
      excluded: try PathPatternList(["build/", "*.tmp.md"]), included: try PathPatternList(["*.md"]))
    #expect(skips(filter, "build/") && skips(filter, "a.tmp.md") && skips(filter, "build") && !skips(filter, "a.md"))
  }

  /// What an item is may not be known yet: then it is let through where that matters.
  @Test func whatIsNotKnownIsLetThrough() throws {
    let filter = ItemFilter(excluded: try PathPatternList(["build/", "*.o"]))
    #expect(!skips(filter, "build", isKnown: false) && skips(filter, "a.o", isKnown: false))
    #expect(filter.needsKinds && !filter.needsPaths)
    let including = ItemFilter(included: try PathPatternList(["*.md"]))
    #expect(!skips(including, "a", isKnown: false) && skips(including, "a"))
    #expect(including.needsKinds && including.needsPaths && including.dependsOnPlace)
  }

  @Test func withoutPatternsNothingMustBeKnown() {
    let filter = ItemFilter()
    #expect(!filter.needsKinds && !filter.needsPaths && !filter.dependsOnPlace && !skips(filter, "a", isKnown: false))
    #expect(skips(filter, ".a", isKnown: false))
  }
}
