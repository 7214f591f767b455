import FileIdentity
import FileTestSupport
import FoundationEssentials
import LinuxFileSystem
import ObservationTestSupport
import SystemPackage
import Testing

@testable import FileSystemObservation

/// A set is one step: what it says is the difference between the tree before it and the tree after it.
struct ChangeComposerTests {
  /// `a` with `b` in it, a document in each, and two more folders beside.
  private func worked() -> WorkedGraph {
    var worked = WorkedGraph()
    for path in ["a", "a/b", "c", "d"] { worked.make(.directory, at: worked.place(path)) }
    for path in ["a/x", "a/b/y", "c/z", "n"] { worked.make(.file, at: worked.place(path)) }
    _ = worked.takeSet()
    return worked
  }

  /// What a set says, after all of it was held against the tree before and the tree after.
  private func said(_ worked: inout WorkedGraph, before: FileSystemTree) -> [String] {
    let set = worked.takeSet()
    var tree = before
    tree.apply(set)
    #expect(tree == worked.tree)
    if !set.isEmpty { #expect(StepCheck(before: before, after: tree).contradictions(in: set.steps) == []) }
    return set.map { change in
      let previous = change.previousPath.map { "\($0.string.dropFirst(3)) -> " } ?? ""
      return "\(change.kind) \(previous)\(change.path.string.dropFirst(3))"
    }
  }

  private func said(_ body: (inout WorkedGraph) -> Void) -> [String] {
    var worked = worked()
    let before = worked.tree
    body(&worked)
    return said(&worked, before: before)
  }

  @Test func severalMovesOfAnItemAreOne() {
    let said = said { worked in
      worked.move(worked.node("n"), to: worked.place("m"))
      worked.move(worked.node("m"), to: worked.place("c/m"))
      worked.move(worked.node("c"), to: worked.place("e"))
    }
    #expect(said == ["moved n -> e/m", "renamed c -> e"])
  }

  @Test func whatIsBackWhereItWasHasNotMoved() {
    let said = said { worked in
      worked.move(worked.node("a"), to: worked.place("t"))
      worked.modify(worked.node("n"))
      worked.move(worked.node("t"), to: worked.place("a"))
    }
    #expect(said == ["modified n"])
  }

  @Test func aDocumentIsModifiedOnceInASet() {
    let said = said { worked in
      worked.modify(worked.node("n"), size: 1)
      worked.modify(worked.node("n"), size: 2)
    }
    #expect(said == ["modified n"])
  }

  @Test func foldersThatChangePlacesAndRotateMoveOnce() {
    let said = said { worked in
      worked.move(worked.node("a"), to: worked.place("t"))
      worked.move(worked.node("c"), to: worked.place("a"))
      worked.move(worked.node("d"), to: worked.place("c"))
      worked.move(worked.node("t"), to: worked.place("d"))
    }
    #expect(said == ["renamed c -> a", "renamed d -> c", "renamed a -> d"])
  }

  @Test func aFolderTurnedInsideOutMovesWithWhatIsInIt() {
    let said = said { worked in
      let (a, b) = (worked.node("a"), worked.node("a/b"))
      worked.move([(b, worked.place("a")), (a, Place(parent: b, name: FileName("b")))])
    }
    #expect(said == ["moved a/b -> a", "moved a -> a/b"])
  }

  /// The path is the same, and the folder another.
  @Test func anItemMovesToThePathItHad() {
    let said = said { worked in
      worked.move(worked.node("a"), to: worked.place("t"))
      worked.move(worked.node("c"), to: worked.place("a"))
      worked.move(worked.node("t/x"), to: worked.place("a/x"))
    }
    #expect(said == ["renamed a -> t", "renamed c -> a", "moved a/x -> a/x"])
  }

  @Test func whatIsDeletedWasWhereItWasBeforeTheSet() {
    let said = said { worked in
      worked.move(worked.node("a"), to: worked.place("e"))
      worked.move(worked.node("e/x"), to: worked.place("c/x"))
      worked.delete(worked.node("c/x"))
      worked.delete(worked.node("e/b/y"))
    }
    #expect(said == ["renamed a -> e", "deleted a/x", "deleted a/b/y"])
  }

  @Test func whatIsNewIsWhereItIsAfterTheSet() {
    let said = said { worked in
      worked.make(.directory, at: worked.place("new"))
      worked.make(.file, at: worked.place("new/f"))
      worked.move(worked.node("n"), to: worked.place("new/n"))
      worked.move(worked.node("new"), to: worked.place("c/new"))
      worked.modify(worked.node("c/new/n"))
    }
    let arrived = ["discovered c/new", "discovered c/new/f", "copyFinished c/new/f"]
    #expect(said == arrived + ["moved n -> c/new/n", "modified c/new/n"])
  }

  /// As when a copy ends for its original, which proves to be elsewhere.
  @Test func anItemThatEndsAndComesBackInASetIsFinishedOnce() {
    let said = said { worked in
      let id = worked.make(.file, at: worked.place("new"))
      let uuid = worked.graph[id].uuid
      worked.changeIdentity(of: id)
      worked.changeIdentity(of: id, to: uuid)
    }
    #expect(said == ["discovered new", "copyFinished new"])
  }

  /// As when two observers have given a file two identities, and it gets the first one back.
  @Test func aFinishedDocumentThatGetsItsIdentityBackInASetIsNotFinishedAgain() {
    func saidOfReturn(with size: Int64?) -> [String] {
      said { worked in
        let id = worked.node("n")
        let uuid = worked.graph[id].uuid
        worked.changeIdentity(of: id)
        if let size { worked.modify(id, size: size) }
        worked.changeIdentity(of: id, to: uuid)
      }
    }
    #expect(saidOfReturn(with: nil) == [])
    #expect(saidOfReturn(with: 3) == ["modified n"])
  }

  @Test func whatCameAndWentIsNotTold() {
    let said = said { worked in
      worked.make(.directory, at: worked.place("new"))
      worked.make(.file, at: worked.place("new/f"))
      worked.move(worked.node("n"), to: worked.place("new/n"))
      worked.move(worked.node("new/n"), to: worked.place("n"))
      worked.delete(worked.node("new"))
    }
    #expect(said == [])
  }

  @Test func aFolderIsDeletedOutOfWhichSomethingMoved() {
    let said = said { worked in
      worked.move(worked.node("a/b"), to: worked.place("b"))
      worked.delete(worked.node("a"))
      worked.move(worked.node("c"), to: worked.place("a"))
    }
    #expect(said == ["moved a/b -> b", "deleted a/x", "deleted a", "renamed c -> a"])
  }

  @Test func anItemTakenForDeletedThatIsFoundHasMoved() {
    let said = said { $0.loseAndFind($0.node("n"), at: $0.place("c/n")) }
    #expect(said == ["moved n -> c/n"])
  }

  /// A document that was saved, and is then found in a copy of its folder, has moved and is another version.
  @Test func anItemThatWasModifiedBeforeItIsFoundElsewhereIsModified() {
    let said = said { worked in
      worked.modify(worked.node("n"), size: 3)
      worked.loseAndFind(worked.node("n"), at: worked.place("c/n"))
    }
    #expect(said == ["modified c/n", "moved n -> c/n"])
  }

  /// As when a folder that seemed to be made anew at its path is found elsewhere: what stayed has left it.
  @Test func aFolderWhoseIdentityIsFoundElsewhereHasMoved() {
    let said = said { worked in
      let uuid = worked.graph[worked.node("a")].uuid
      worked.changeIdentity(of: worked.node("a"))
      worked.make(.directory, at: worked.place("c/e"), uuid: uuid)
      worked.move(worked.node("a/x"), to: worked.place("c/e/x"))
    }
    #expect(said == ["discovered a", "moved a/b -> a/b", "moved a -> c/e"])
  }

  /// The new content is noted by a name that is gone in the end, and the name that is left is new.
  @Test func aDocumentThatIsModifiedBeforeItGoesOnUnderANewNameIsModified() {
    let said = said { worked in
      worked.link(worked.node("n"), at: worked.place("m"))
      worked.modify(worked.node("n"), size: 3)
      worked.delete(worked.node("n"))
    }
    #expect(said == ["linked m", "modified m", "unlinked n", "renamed n -> m"])
  }

  /// What is in the folder has not been told to be elsewhere, so it must have moved itself.
  @Test func aFolderThatIsAnotherAndElsewhereLosesWhatIsInIt() {
    let said = said { worked in
      worked.changeIdentity(of: worked.node("a"))
      worked.move(worked.node("a"), to: worked.place("c/e"))
    }
    #expect(said.sorted() == ["deleted a", "discovered c/e", "moved a/b -> c/e/b", "moved a/x -> c/e/x"])
  }

  @Test func aFolderThatIsAnotherInAFolderThatMovedKeepsWhatIsInIt() {
    let said = said { worked in
      worked.changeIdentity(of: worked.node("a/b"))
      worked.move(worked.node("a"), to: worked.place("c/a"))
    }
    #expect(said == ["deleted a/b", "discovered c/a/b", "moved a -> c/a"])
  }

  @Test func aFileWithSeveralNamesIsAnnouncedByTheOneThatIsLeft() {
    let said = said { worked in
      worked.make(.file, at: worked.place("f"))
      worked.link(worked.node("f"), at: worked.place("g"))
      worked.delete(worked.node("f"))
    }
    #expect(said == ["discovered g", "copyFinished g"])
  }

  @Test func theNameThatStandsForAFileChangesOnce() {
    var worked = worked()
    worked.link(worked.node("n"), at: worked.place("o"))
    worked.link(worked.node("n"), at: worked.place("c/p"))
    _ = worked.takeSet()
    let before = worked.tree
    worked.delete(worked.node("n"))
    worked.delete(worked.node("o"))
    worked.move(worked.node("c"), to: worked.place("e"))
    let uuid = worked.graph[worked.node("e/p")].uuid
    #expect(said(&worked, before: before) == ["unlinked n", "unlinked o", "moved n -> e/p", "renamed c -> e"])
    #expect(worked.tree[UUID(uuid)]?.path == "/T/e/p")
  }

  /// The copies had been announced; the new item of the copy stays where it is.
  @Test func whatGoesOnInAnAnnouncedCopyOfItsFolderMovesWithTheFolder() throws {
    var worked = worked()
    for path in ["e", "e/b"] { worked.make(.directory, at: worked.place(path)) }
    for path in ["e/x", "e/new", "e/b/y"] { worked.make(.file, at: worked.place(path)) }
    _ = worked.takeSet()
    let before = worked.tree
    worked.moveByCopying(worked.node("a"), to: worked.node("e"))
    let set = worked.takeSet()
    #expect(StepCheck(before: before, after: worked.tree).contradictions(in: set.steps) == [])
    let moves = set.filter { $0.previousPath != nil }
    let said = moves.map { "\($0.kind) \($0.previousPath ?? "") -> \($0.path)" }
    #expect(said == ["renamed /T/a -> /T/e"])
    #expect(set.count { $0.kind == .deleted && $0.item.path.starts(with: "/T/e") } == 4)
    let folder = try #require(moves.first { $0.kind == .renamed })
    let followers = set.movesBelow(folder).map { "\($0.previousPath ?? "") -> \($0.path)" }
    #expect(followers.sorted() == ["/T/a/b -> /T/e/b", "/T/a/b/y -> /T/e/b/y", "/T/a/x -> /T/e/x"])
  }

  @Test func whatMovedWithAFolderIsListedByWhereItWasBeforeTheSet() throws {
    var worked = worked()
    worked.move(worked.node("a"), to: worked.place("c/a"))
    worked.move(worked.node("c"), to: worked.place("e"))
    worked.move(worked.node("n"), to: worked.place("e/a/b/n"))
    worked.make(.file, at: worked.place("e/a/new"))
    let set = worked.takeSet()
    func moved(_ path: FilePath) throws -> [String] {
      let change = try #require(set.first { $0.path == path })
      return set.movesBelow(change).map { "\($0.previousPath ?? "") -> \($0.path)" }.sorted()
    }
    #expect(try moved("/T/e") == ["/T/c/z -> /T/e/z"])
    #expect(try moved("/T/e/a") == ["/T/a/b -> /T/e/a/b", "/T/a/b/y -> /T/e/a/b/y", "/T/a/x -> /T/e/a/x"])
  }
}
