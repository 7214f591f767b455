import FileIdentity
import FoundationEssentials
import LinuxFileSystem
import ReplayModel
import Testing

@testable import FileSystemObservation

/// A part of the tree gets the difference between what was in it before a set and what is in it after the set.
struct ScopeFilterTests {
  typealias Scope = FileSystemObserver.Scope

  /// `a` with `b` in it, a document in each, and two more folders beside.
  private func worked() -> WorkedGraph {
    var worked = WorkedGraph()
    for path in ["a", "a/b", "c", "d"] { worked.make(.directory, at: worked.place(path)) }
    for path in ["a/x", "a/b/y", "c/z", "n"] { worked.make(.file, at: worked.place(path)) }
    _ = worked.takeSet()
    return worked
  }

  private func uuid(_ path: String, _ worked: WorkedGraph) -> UUID { UUID(worked.graph[worked.node(path)].uuid) }

  /// What each part gets, after it was replayed.
  private func said(_ scopes: [(WorkedGraph) -> Scope], _ body: (inout WorkedGraph) -> Void) -> [[String]] {
    var worked = worked()
    let scopes = scopes.map { $0(worked) }
    let before = scopes.map { PathReplay(worked.items(in: $0)) }
    body(&worked)
    let after = scopes.map { PathReplay(worked.items(in: $0)) }
    let sets = worked.takeSets(for: scopes)
    for (index, var replay) in before.enumerated() {
      replay.apply(sets[index])
      #expect(replay == after[index] && replay.contradictions == [])
    }
    return sets.map { set in set.map { text(of: $0) } }
  }

  private func said(_ scope: @escaping (WorkedGraph) -> Scope, _ body: (inout WorkedGraph) -> Void) -> [String] {
    said([scope], body)[0]
  }

  private func text(of change: FileSystemChange) -> String {
    let previous = change.previousPath.map { "\($0.string.dropFirst(3)) -> " } ?? ""
    let reason = change.deletionReason.map { " (\($0))" } ?? ""
    return "\(change.kind) \(previous)\(change.path.string.dropFirst(3))\(reason)"
  }

  // MARK: - Borders

  @Test func aFolderThatLeavesTakesWhatIsInItAlong() {
    let said = said([{ .subtree(uuid("a", $0)) }, { .subtree(uuid("c", $0)) }, { .folder(uuid("c", $0)) }]) { worked in
      worked.move(worked.node("a/b"), to: worked.place("c/b"))
    }
    #expect(
      said == [
        ["deleted a/b/y (movedOut)", "deleted a/b (movedOut)"], ["discovered c/b", "discovered c/b/y"],
        ["discovered c/b"],
      ])
  }

  /// Somebody else listens for one of the items that leave.
  @Test func whatAnotherPartIsNamedAfterIsDeletedOnce() {
    let said = said([{ .subtree(uuid("a", $0)) }, { .item(uuid("a/b/y", $0)) }]) { worked in
      worked.move(worked.node("a/b"), to: worked.place("c/b"))
    }
    #expect(said == [["deleted a/b/y (movedOut)", "deleted a/b (movedOut)"], ["moved a/b/y -> c/b/y"]])
  }

  @Test func aPartMovesWithAFolderAboveIt() {
    let said = said([{ .subtree(uuid("a/b", $0)) }, { .subtree(uuid("a", $0)) }]) { worked in
      worked.move(worked.node("a"), to: worked.place("c/a"))
    }
    #expect(said == [["moved a/b -> c/a/b"], ["moved a -> c/a"]])
  }

  @Test func aFolderThatMovesInsideAPartIsOneChange() {
    let said = said({ .subtree(uuid("a", $0)) }) { $0.move($0.node("a/b"), to: $0.place("a/e")) }
    #expect(said == ["renamed a/b -> a/e"])
  }

  // MARK: - Folders that are others

  /// What is in it stays, and is in another folder from now on.
  @Test func whatIsInAFolderThatIsAnotherLeavesThePartOfTheFormer() {
    let said = said([{ .subtree(uuid("a/b", $0)) }, { .folder(uuid("a/b", $0)) }, { .subtree(uuid("a", $0)) }]) {
      $0.changeIdentity(of: $0.node("a/b"))
    }
    let left = ["deleted a/b/y (movedOut)", "deleted a/b (replaced)"]
    #expect(said == [left, left, ["deleted a/b (replaced)", "discovered a/b"]])
  }

  /// As where a folder was moved by copying over another: its entry is gone, and that of the other stands for it.
  @Test func aFolderThatTakesAnotherOverHasWhatIsInThat() {
    let said = said([{ .subtree(uuid("c", $0)) }, { .folder(uuid("a/b", $0)) }, { .item(uuid("c", $0)) }]) { worked in
      let moved = worked.graph[worked.node("c")].uuid
      worked.delete(worked.node("c"))
      worked.changeIdentity(of: worked.node("a/b"), to: moved)
    }
    #expect(
      said == [
        ["deleted c/z (removed)", "moved c -> a/b", "discovered a/b/y"],
        ["deleted a/b/y (movedOut)", "deleted a/b (replaced)"], ["moved c -> a/b"],
      ])
  }

  /// A folder was found again under another entry, with what was in it.
  @Test func whatIsFoundAgainWithItsFolderCrossesTheBorder() {
    let said = said([{ .subtree(uuid("a", $0)) }, { .subtree(uuid("c", $0)) }]) { worked in
      let identity = worked.graph[worked.node("a/b/y")].uuid
      worked.loseAndFind(worked.node("a/b"), at: worked.place("c/b"))
      worked.make(.file, at: worked.place("c/b/y"), uuid: identity)
    }
    #expect(
      said.map { $0.sorted() } == [
        ["deleted a/b (movedOut)", "deleted a/b/y (movedOut)"], ["discovered c/b", "discovered c/b/y"],
      ])
  }

  /// A folder is another, and elsewhere: what is in it has a move of its own, which the part does not get twice.
  @Test func whatHasAMoveOfItsOwnLeavesOnce() {
    let said = said([{ .subtree(uuid("a", $0)) }, { .subtree(uuid("a/b", $0)) }]) { worked in
      worked.changeIdentity(of: worked.node("a"))
      worked.move(worked.node("a"), to: worked.place("c/e"))
    }
    let left = ["a/b", "a/b/y", "a/x"].map { "deleted \($0) (movedOut)" }
    #expect(said[0].sorted() == ["deleted a (replaced)"] + left)
    #expect(said[1] == ["moved a/b -> c/e/b"])
  }
}
