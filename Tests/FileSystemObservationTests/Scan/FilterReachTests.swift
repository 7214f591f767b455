import FileTestSupport
import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// What of a filter concerns a folder: only where that changes is anything below it looked at again.
struct FilterReachTests {
  private func filter(_ patterns: [String], including: [String] = [], levels: Int? = nil) throws -> ItemFilter {
    ItemFilter(levels: levels, excluded: try PathPatternList(patterns), included: try PathPatternList(including))
  }

  private func reach(_ filter: ItemFilter, _ path: String) -> FilterReach {
    let names = path.split(separator: "/")
    return filter.reach(below: Array(path.utf8), level: names.count - 1)
  }

  @Test func patternsConcernFoldersThatBeginThem() throws {
    let filter = try filter(["build/*.o", "*/cache/x", "*.tmp"])
    func concerned(_ path: String) -> [Int] { reach(filter, path).excluded.keys.sorted() }
    #expect(concerned("") == [0, 1])
    #expect(concerned("build") == [0, 1] && concerned("src") == [1])
    #expect(concerned("src/cache") == [1] && concerned("src/build") == [])
    #expect(concerned("src/cache/x") == [])
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

  /// A pattern that matches at any depth is the same everywhere, unless a folder begins it.
  @Test func patternsForAnyDepthConcernAllFoldersTheSame() throws {
    let filter = try filter(["**/x/y", "**/z"])
    #expect(reach(filter, "a") == reach(filter, "b/c/d") && reach(filter, "a") != reach(filter, "a/x"))
    #expect(reach(filter, "x") == reach(filter, "b/x"))
  }

  @Test func namesMatchTheSameEverywhere() throws {
    #expect(try !filter(["*.tmp", "build/", "[a/b]/"]).dependsOnPlace == false)
    #expect(try !filter(["*.tmp", "build/"]).dependsOnPlace)
  }

  @Test func whatIsIncludedAboveIsPartOfIt() throws {
    let filter = try filter([], including: ["docs", "/a/*.md"])
    #expect(reach(filter, "docs") == reach(filter, "x/docs/y") && reach(filter, "docs").isIncluded)
    #expect(reach(filter, "x") == reach(filter, "y/z") && reach(filter, "x") != reach(filter, "docs"))
    #expect(reach(filter, "a") != reach(filter, "x") && reach(filter, "a/b") == reach(filter, "x"))
  }

  /// Where the reach is the same, so is what is observed: else a folder that is moved would keep what is not to be
  /// seen.
  @Test func theSameReachMeansTheSameItems() throws {
    var generator = PatternGenerator(seed: 7)
    var random = SplitMix64(seed: 8)
    let paths = generator.tree().map { ItemPath($0) }
    let directories = paths.filter(\.isDirectory)
    var sameCount = 0
    for _ in 0..<150 {
      let lists = [generator.list(), generator.list()].map { list in
        PathPatternList(list.compactMap { try? PathPattern(bytes: $0) })
      }
      let filter = ItemFilter(includesHidden: true, excluded: lists[0], included: lists[1])
      for _ in 0..<20 {
        let places = (0..<2).map { _ in directories.randomElement(using: &random)?.bytes ?? [] }
        guard filter.reach(below: places[0], level: 0) == filter.reach(below: places[1], level: 0) else { continue }
        sameCount += 1
        for item in paths.prefix(30) {
          let verdicts = places.map { isSkipped(item, below: $0, filter) }
          #expect(verdicts[0] == verdicts[1], "\(item) below \(places)")
        }
      }
    }
    #expect(sameCount > 300)
  }

  /// Whether an item is skipped below a place that is itself observed.
  private func isSkipped(_ item: ItemPath, below place: [UInt8], _ filter: ItemFilter) -> Bool {
    var directory = place
    let names = item.bytes.split(separator: UInt8(ascii: "/"))
    for (index, name) in names.enumerated() {
      let isDirectory = index < names.count - 1 || item.isDirectory
      let skipped = FileName(bytes: name).withView { view in
        filter.reasonToSkip(view, isDirectory: isDirectory, in: filter.directory(directory)) != nil
      }
      if skipped { return true }
      directory += (directory.isEmpty ? "" : "/").utf8 + name
    }
    return false
  }
}
