import FileSystemObservation
import FoundationEssentials
import ObservationTestSupport
import SystemPackage
import TestTraits
import Testing

/// Each call with a path has one with a URL.
@Suite(.light) struct URLTests {
  @Test func childrenOfAFolder() async throws {
    let observed = try await ObservedFolder.begin { folder in
      try folder.watched.mkdir("d")
      try folder.watched.write("d/a.txt")
    }
    let (url, none) = (URL(filePath: observed.root["d"]), try #require(URL(string: "https://example.com/d")))
    let snapshot = observed.observer.snapshot()
    let tree = FileSystemTree(snapshot)
    for children in [observed.observer.children(of: url), snapshot.children(of: url), tree.children(of: url)] {
      #expect(children.map(\.name) == ["a.txt"])
    }
    #expect(tree[URL(filePath: observed.root["d/a.txt"])]?.name == "a.txt")
    #expect(observed.observer.children(of: none).isEmpty && snapshot.children(of: none).isEmpty && tree[none] == nil)
  }

  @Test(.enabled(if: Ability.tags.isPossible, "the file system keeps no tags"))
  func aURLThatNamesNoFileIsRefused() async throws {
    let observed = try await ObservedFolder.begin { try $0.watched.write("a.txt") }
    let none = try #require(URL(string: "https://example.com/d"))
    var error = await #expect(throws: FileSystemObserverError.self) {
      try await observed.observer.adopt(UUID(), forItemAt: none)
    }
    #expect(error?.code == .invalidArgument)
    error = await #expect(throws: FileSystemObserverError.self) { try await observed.observer.release(mountedAt: none) }
    #expect(error?.code == .invalidArgument)
    let given = UUID()
    try await observed.observer.adopt(given, forItemAt: URL(filePath: observed.root["a.txt"]))
    #expect(try observed.root.tag("a.txt") == given)
  }
}
