import LinuxFileSystem
import Testing

@testable import FileSystemObservation

/// Which directories are in selected folders, and which lead to them.
@Suite struct SelectedFoldersTests {
  private func folders(_ paths: String...) -> SelectedFolders { SelectedFolders(paths.map { Array($0.utf8) }) }

  private func position(of path: String, _ folders: SelectedFolders) -> String {
    switch folders.position(of: Array(path.utf8)) {
    case .inside(let rest): "inside:" + String(decoding: rest, as: UTF8.self)
    case .outside(let rests): rests.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
    }
  }

  @Test(arguments: [
    ("", "me/docs,me/pics,stick"), ("me", "docs,pics"), ("me/docs", "inside:"), ("me/docs/a/b", "inside:a/b"),
    ("me/doc", ""), ("me/docs2", ""), ("stick/x", "inside:x"), ("st", ""), ("me/other", ""),
  ])
  func positions(_ path: String, _ expected: String) {
    #expect(position(of: path, folders("me/docs", "me/pics", "stick")) == expected)
  }

  @Test func aFolderBelowAnotherAddsNothing() {
    #expect(folders("a/b/c", "a", "a/b", "ab") == folders("ab", "a"))
    #expect(folders("a", "").isEmpty && folders().isEmpty)
    #expect(position(of: "any/thing", folders()) == "inside:any/thing")
  }

  private func skips(_ filter: ItemFilter, _ path: String) -> Bool {
    let item = ItemPath(path)
    return FileName(bytes: item.name).withView { name in
      filter.reasonToSkip(name, isDirectory: item.isDirectory, in: filter.directory(item.directory)) != nil
    }
  }

  @Test func nothingElseOnTheWayIsObservedAndPatternsBeginInEachFolder() throws {
    let filter = ItemFilter(
      excluded: try PathPatternList(["/Inbox", "me", "*.tmp"]), selected: folders("me/.docs", "me/pics"))
    for path in ["me/", "me/.docs/", "me/pics/", "me/pics/a", "me/.docs/x/Inbox"] {
      #expect(!skips(filter, path), "\(path)")
    }
    for path in ["a", "me", "you/", "me/a", "me/docs/", "me/pics/Inbox", "me/.docs/Inbox", "me/pics/me", "me/pics/.a"] {
      #expect(skips(filter, path), "\(path)")
    }
  }

  /// A directory is listed again only where another selection has other entries.
  @Test func whereSelectionsDiffer() {
    let (former, filter) = (ItemFilter(selected: folders("me/docs")), ItemFilter(selected: folders("me/docs", "you")))
    func differs(_ path: String) -> Bool { filter.differs(from: former, in: Array(path.utf8), level: 0) }
    #expect(differs("") && differs("you") && !differs("me") && !differs("me/docs") && !differs("me/docs/x"))
    #expect(filter.reach(below: Array("me".utf8), level: 0) == former.reach(below: Array("me".utf8), level: 0))
    #expect(filter.reach(below: [], level: -1) != former.reach(below: [], level: -1))
  }
}
