import FileSystemObservation
import Foundation
import SystemPackage
import Testing

/// A snapshot in the order of the bytes of its paths.
@Suite struct PathOrderTests {
  private func snapshot(_ paths: [String: FileSystemItem.Kind]) -> FileSystemSnapshot {
    // Parents first.
    let items = paths.sorted { $0.key.utf8.count < $1.key.utf8.count }.map { path, kind in
      FileSystemItem.Snapshot(uuid: UUID(), kind: kind, relativePath: FilePath(path), directory: "/T")
    }
    return FileSystemSnapshot(items, directory: "/T")
  }

  private func expectOrder(_ snapshot: FileSystemSnapshot) {
    let expected = snapshot.map { Array($0.path.string.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(snapshot.inPathOrder.map { Array($0.path.string.utf8) } == expected)
  }

  /// What is below a folder does not follow it at once: a name that goes on with a byte below the slash is between.
  @Test func namesThatGoOnAfterAFoldersName() {
    let paths: [String: FileSystemItem.Kind] = [
      "a": .directory, "a!": .file, "a/b": .file, "a-": .directory, "a-/x": .file, "a0": .file, "a/": .directory,
      "12345678": .directory, "12345678!": .directory, "12345678!/x": .file, "12345678/x": .file, "123456789": .file,
      "12345678-long": .directory, "12345678-long/y": .file, "12345678-long!": .file, "12345678-longer": .file,
    ]
    let snapshot = snapshot(paths.filter { $0.key != "a/" })
    #expect(snapshot.count == paths.count - 1)
    expectOrder(snapshot)
  }

  @Test func nothingIsInOrder() {
    #expect(Array(FileSystemSnapshot([], directory: "/T").inPathOrder).isEmpty)
  }

  @Test(arguments: 1...20) func anyTree(_ seed: Int) {
    var random = SystemRandomNumberGenerator()
    var directories = [""]
    var paths: [String: FileSystemItem.Kind] = [:]
    for _ in 0..<200 {
      let name = String(
        (0..<Int.random(in: 1...10, using: &random)).map { _ in "a!b-/.0z".filter { $0 != "/" }.randomElement() ?? "a" }
      )
      guard name != ".", name != "..", let parent = directories.randomElement(using: &random) else { continue }
      let path = parent.isEmpty ? name : parent + "/" + name
      guard paths[path] == nil else { continue }
      paths[path] = Bool.random(using: &random) ? .directory : .file
      if paths[path] == .directory { directories.append(path) }
    }
    expectOrder(snapshot(paths))
  }
}
