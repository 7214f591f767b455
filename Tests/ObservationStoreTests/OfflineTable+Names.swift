#if Store
// Renames and moves.

extension OfflineCase {
  static let names: [Self] = [
    .init("renamed", "mv a b", ["renamed a -> b"]),
    .init("renamed twice", "mv a b; mv b c", ["renamed a -> c"]),
    .init("renamed and back", "mv a b; mv b a", []),
    .init("renamed by its case", "mv a A", ["renamed a -> A"]),
    .init("renamed to another suffix", before: "doc a.txt", "mv a.txt a.md", ["renamed a.txt -> a.md"]),
    .init("moved", before: "doc a; mkdir f", "mv a f/", ["moved a -> f/a"]),
    .init("moved and renamed", before: "doc a; mkdir f", "mv a f/b", ["moved a -> f/b"]),
    .init("moved up", before: "doc f/a g/x", "mv f/a a", ["moved f/a -> a"]),
    .init("moved between folders", before: "doc f/a g/x", "mv f/a g/a", ["moved f/a -> g/a"]),
    .init("moved to a new folder", "mkdir n; mv a n/", ["discovered n", "moved a -> n/a"]),
    .init(
      "moved to a new folder in a new one", "mkdir -p n/m; mv a n/m/b",
      ["discovered n", "discovered n/m", "moved a -> n/m/b"]),
    .init("out and back", "mv a $OUT/; mv $OUT/a .", []),
    .init("out and back under another name", "mv a $OUT/; mv $OUT/a b", ["renamed a -> b"]),
    .init("out and back to another folder", before: "doc a f/x", "mv a $OUT/; mv $OUT/a f/", ["moved a -> f/a"]),
    .init("two swapped", before: "doc a b", "mv a t; mv b a; mv t b", ["renamed a -> b", "renamed b -> a"]),
    .init(
      "two swapped in different folders", before: "doc f/a g/a", "mv f/a t; mv g/a f/; mv t g/a",
      ["moved f/a -> g/a", "moved g/a -> f/a"]),
    .init(
      "three rotated", before: "doc a b c", "mv a t; mv b a; mv c b; mv t c",
      ["renamed a -> c", "renamed b -> a", "renamed c -> b"]),
    .init(
      "a chain of names", before: "doc 1 2 3 4 5", "for i in 5 4 3 2 1; do mv $i $((i+1)); done",
      ["renamed 1 -> 2", "renamed 2 -> 3", "renamed 3 -> 4", "renamed 4 -> 5", "renamed 5 -> 6"]),
    .init(
      "a shorter chain of names", before: "doc 1 2 3", "rm 1; mv 2 1; mv 3 2",
      ["deleted(replaced) 1", "renamed 2 -> 1", "renamed 3 -> 2"]),
    .init("moved over another", before: "doc a b", "mv a b", ["deleted(replaced) b", "renamed a -> b"]),
    .init(
      "moved over another in a folder", before: "doc a f/b", "mv a f/b", ["deleted(replaced) f/b", "moved a -> f/b"]),
    .init(
      "moved over another, and a new one in its place", before: "doc a b", "mv a b; doc a",
      ["deleted(replaced) b", "renamed a -> b", "discovered a"],
      withContents: ["deleted(replaced) b", "duplicated b (a) => a", "renamed a -> b"]),
    .init(
      "renamed, and a new one in its place", "mv a b; doc a", ["renamed a -> b", "discovered a"],
      withContents: ["duplicated b (a) => a", "renamed a -> b"]),
    .init(
      "moved, and a new one in its place", before: "doc a f/x", "mv a f/; doc a", ["moved a -> f/a", "discovered a"],
      withContents: ["duplicated f/a (a) => a", "moved a -> f/a"]),
    .init(
      "renamed to what was moved away", before: "doc a b f/x", "mv b f/; mv a b", ["moved b -> f/b", "renamed a -> b"]),
    .init(
      "a name with a line break, and one of 255 letters", before: "doc $'\\n\"' $(printf 'n%.0s' {1..255})",
      "mv $'\\n\"' $'\\t'; mv $(printf 'n%.0s' {1..255}) $(printf 'm%.0s' {1..255})",
      [
        "renamed \n\" -> \t",
        "renamed \(String(repeating: "n", count: 255)) -> \(String(repeating: "m", count: 255))",
      ]),
    .init("a symbolic link renamed", before: "ln -s nowhere l", "mv l m", ["renamed l -> m"]),
    .init("a symbolic link moved", before: "ln -s nowhere l; mkdir f", "mv l f/", ["moved l -> f/l"]),
    .init("git mv", before: "doc a; git init -q; git add a", needs: ["git"], "git mv a b", ["renamed a -> b"]),
  ]
}

// MARK: - Folders

extension OfflineCase {
  static let folders: [Self] = [
    .init("a folder renamed", before: "doc d/x d/y/z", "mv d e", ["renamed d -> e"]),
    .init("a folder renamed by its case", before: "doc d/x", "mv d D", ["renamed d -> D"]),
    .init("a folder moved", before: "doc d/x d/y/z f/x", "mv d f/", ["moved d -> f/d"]),
    .init("a folder moved to a new one", before: "doc d/x", "mkdir n; mv d n/", ["discovered n", "moved d -> n/d"]),
    .init(
      "a folder renamed, and a file in it", before: "doc d/x", "mv d e; mv e/x e/y",
      ["renamed d -> e", "renamed d/x -> e/y"]),
    .init(
      "a folder renamed, and a file in it saved", before: "doc d/x", "mv d e; echo more >> e/x",
      ["renamed d -> e", "modified e/x (d/x)"]),
    .init(
      "a folder renamed, and a file in it replaced", before: "doc d/x", "mv d e; sed -i s/text/word/ e/x",
      ["renamed d -> e", "modified e/x (d/x)"]),
    .init(
      "a folder renamed, and a file in it removed", before: "doc d/x d/y", "mv d e; rm e/x",
      ["renamed d -> e", "deleted(removed) d/x"]),
    .init(
      "a folder renamed, and a new file in it", before: "doc d/x", "mv d e; doc e/y",
      ["renamed d -> e", "discovered e/y"]),
    .init(
      "a folder renamed, and a file moved out of it", before: "doc d/x d/y", "mv d e; mv e/x .",
      ["renamed d -> e", "moved d/x -> x"]),
    .init(
      "a folder renamed, and a file moved into it", before: "doc d/x a", "mv d e; mv a e/",
      ["renamed d -> e", "moved a -> e/a"]),
    .init(
      "a folder renamed, and one made anew", before: "doc d/x", "mv d e; mkdir d; doc d/x",
      ["renamed d -> e", "discovered d", "discovered d/x"],
      withContents: ["discovered d", "duplicated e/x (d/x) => d/x", "renamed d -> e"]),
    .init(
      "two folders swapped", before: "doc d/x e/x", "mv d t; mv e d; mv t e", ["renamed d -> e", "renamed e -> d"]),
    .init(
      "a folder and the one in it change places", before: "doc d/e/x d/y", "mv d/e t; mv d t/d; mv t e",
      ["moved d/e -> e", "moved d -> e/d"]),
    .init(
      "a folder moved into one that was renamed", before: "doc d/x e/y", "mv e f; mv d f/",
      ["renamed e -> f", "moved d -> f/d"]),
    .init(
      "all on a path renamed", before: "doc a/b/c/d", "mv a/b/c/d a/b/c/4; mv a/b/c a/b/3; mv a/b a/2; mv a 1",
      ["renamed a -> 1", "renamed a/b -> 1/2", "renamed a/b/c -> 1/2/3", "renamed a/b/c/d -> 1/2/3/4"]),
    .init(
      "a folder merged with another", before: "doc d/x d/y e/z", "mv d/* e/; rmdir d",
      ["moved d/x -> e/x", "moved d/y -> e/y", "deleted(removed) d"]),
    .init(
      "a folder divided", before: "doc d/x d/y", "mkdir e; mv d/x e/", ["discovered e", "moved d/x -> e/x"]),
    .init(
      "a folder flattened", before: "doc d/x d/e/y", "mv d/e/y d/x .; rm -r d",
      ["moved d/x -> x", "moved d/e/y -> y", "deleted(removed) d/e", "deleted(removed) d"]),
    .init(
      "a folder renamed over an empty one", before: "doc d/x; mkdir e", "mv -T d e",
      ["deleted(replaced) e", "renamed d -> e"]),
    .init("a folder out and back", before: "doc d/x", "mv d $OUT/; mv $OUT/d .", []),
    .init("a folder out and back elsewhere", before: "doc d/x f/y", "mv d $OUT/; mv $OUT/d f/e", ["moved d -> f/e"]),
    .init("an empty folder made anew", before: "mkdir d", "rmdir d; mkdir d", []),
    .init(
      "a folder made anew", before: "doc d/x d/y", "rm -r d; doc d/x d/z",
      ["modified d/x", "deleted(removed) d/y", "discovered d/z"]),
    .init(
      "three hundred files renamed in a folder that was renamed", before: "doc d/{1..300}",
      "mv d e; cd e; for i in {300..1}; do mv $i n$i; done",
      ["renamed d -> e"] + (1...300).map { "renamed d/\($0) -> e/n\($0)" }),
  ]
}
#endif
