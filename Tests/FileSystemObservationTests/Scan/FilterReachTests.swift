import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// What of a filter concerns a folder: only where that changes is anything below it looked at again.
struct FilterReachTests {
  private func filter(_ patterns: [String], levels: Int? = nil) throws -> ItemFilter {
    ItemFilter(levels: levels, excluded: try patterns.map { try GlobPattern($0) })
  }

  private func reach(_ filter: ItemFilter, _ path: String) -> FilterReach {
    let names = path.split(separator: "/")
    return filter.reach(below: Array(path.utf8), level: names.count - 1)
  }

  @Test func patternsConcernFoldersThatBeginThem() throws {
    let filter = try filter(["build/*.o", "*/cache/x", "*.tmp"])
    #expect(reach(filter, "").paths == [0, 1])
    #expect(reach(filter, "build").paths == [0, 1] && reach(filter, "src").paths == [1])
    #expect(reach(filter, "src/cache").paths == [1] && reach(filter, "src/build").paths == [])
    #expect(reach(filter, "src/cache/x").paths == [])
  }

  @Test func foldersWithNothingToExcludeAreAllTheSame() throws {
    let filter = try filter(["build/*.o"])
    #expect(reach(filter, "a/b") == reach(filter, "c/d/e") && reach(filter, "a") != reach(filter, "build"))
    #expect(filter.dependsOnPlace)
  }

  /// A pattern matches names at one depth: the same folder deeper down is another.
  @Test func depthCounts() throws {
    let filter = try filter(["*/*/x"])
    #expect(reach(filter, "a") != reach(filter, "a/b"))
    let limited = try self.filter([], levels: 3)
    #expect(reach(limited, "a/b") == reach(limited, "c/d") && reach(limited, "a/b") != reach(limited, "a"))
  }

  /// In brackets and after a backslash a slash is no end of a name: then every folder may be concerned.
  @Test(arguments: ["a[b/c]d/e", "a\\/b"]) func whatIsNotCertainConcernsEveryFolder(_ pattern: String) throws {
    #expect(try reach(filter([pattern]), "z").paths == [0])
  }
}
