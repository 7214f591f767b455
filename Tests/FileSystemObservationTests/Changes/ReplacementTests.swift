import FileSystemObservation
import FoundationEssentials
import SystemPackage
import Testing

/// What is in the place of an item that another replaced.
struct ReplacementTests {
  private static let directory: FilePath = "/T"

  private func item(_ path: String, _ uuid: UUID, _ kind: FileSystemItem.Kind = .file) -> FileSystemItem.Snapshot {
    FileSystemItem.Snapshot(uuid: uuid, kind: kind, relativePath: FilePath(path), directory: Self.directory)
  }

  private func set(_ changes: FileSystemChange...) -> FileSystemChanges {
    FileSystemChanges(changes, directory: Self.directory)
  }

  private func tree(_ items: FileSystemItem.Snapshot...) -> FileSystemTree {
    var tree = FileSystemTree(directory: Self.directory)
    tree.apply(
      FileSystemChanges(
        items.map { FileSystemChange(.discovered(isCopying: false, isReturned: false), $0) }, directory: Self.directory)
    )
    return tree
  }

  @Test func aDocumentThatWasMovedOverAnother() {
    let (a, b) = (UUID(), UUID())
    let set = set(
      FileSystemChange(.deleted(.replaced), item("b", b)), FileSystemChange(.renamed(from: "/T/a"), item("b", a)))
    #expect(set.replacement(of: set[0])?.uuid == a)
    #expect(set.replacement(of: set[1]) == nil)
  }

  @Test func onlyWhatWasReplacedHasAReplacement() {
    let (a, b) = (UUID(), UUID())
    let set = set(
      FileSystemChange(.deleted(.removed), item("b", b)),
      FileSystemChange(.discovered(isCopying: false, isReturned: false), item("b", a)))
    #expect(set.replacement(of: set[0]) == nil)
  }

  /// The folder above was renamed in the same set, and so was the one above that.
  @Test func aDocumentInFoldersThatWereRenamed() {
    let (x, y, inner, outer) = (UUID(), UUID(), UUID(), UUID())
    let set = set(
      FileSystemChange(.deleted(.replaced), item("f/g/x", x)),
      FileSystemChange(.renamed(from: "/T/f"), item("n", outer, .directory)),
      FileSystemChange(.renamed(from: "/T/f/g"), item("n/m", inner, .directory)),
      FileSystemChange(.moved(from: "/T/y"), item("n/m/x", y)))
    #expect(set.replacement(of: set[0])?.uuid == y)
  }

  /// The original of a copied folder goes on in the copy: what is in it has no change of its own.
  @Test func aCopyThatItsOriginalTookOver() {
    let (folder, file, copy, copiedFile) = (UUID(), UUID(), UUID(), UUID())
    let before = tree(
      item("d", folder, .directory), item("d/x", file), item("e", copy, .directory), item("e/x", copiedFile))
    let changes = [
      FileSystemChange(.deleted(.replaced), item("e/x", copiedFile)),
      FileSystemChange(.deleted(.replaced), item("e", copy, .directory)),
      FileSystemChange(.renamed(from: "/T/d"), item("e", folder, .directory)),
    ]
    let set = FileSystemChanges(changes, directory: Self.directory, treeBefore: before)
    #expect(set.map { set.replacement(of: $0)?.uuid } == [file, folder, nil])
    // Without the tree, only changes of their own tell.
    let bare = FileSystemChanges(changes, directory: Self.directory)
    #expect(bare.map { bare.replacement(of: $0)?.uuid } == [nil, folder, nil])
  }
}
