import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Moves that happen together, as the classifier applies them.
struct PlannedMovesTests {
  /// What leaves a folder may take the place of a folder around both: then that ends, and the folder in it ends once.
  @Test func aFolderThatEndsWithTheOneAroundItEndsOnce() throws {
    var scripted = ScriptedClassifier("mkdir a; mkdir a/b; mkdir a/b/c")
    let graph = scripted.classifier.graph
    let ids = try ["a", "a/b", "a/b/c"].map { try #require(graph.node(atPath: ArraySlice($0.utf8))) }
    scripted.classifier.markUnresolved(ids[0], .gone, leftByRename: false)
    scripted.classifier.markUnresolved(ids[1], .gone, leftByRename: false)
    scripted.classifier.markUnresolved(ids[2], .at(graph.place(ids[0])), leftByRename: true)
    scripted.classifier.delete(ids[1], reason: .removed)
    scripted.takeIn()
    #expect(scripted.told == ["deleted a/b (removed)", "deleted a (replaced)", "moved a/b/c -> a"])
    #expect(scripted.problems == [])
  }
}
