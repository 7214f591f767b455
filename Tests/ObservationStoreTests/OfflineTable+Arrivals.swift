#if Store
// New files, copies, what is gone, and several names of a file.

extension OfflineCase {
  static let copies: [Self] = [
    .init("new", "doc b", ["discovered b"]),
    .init("new and empty", "touch b", ["discovered b"]),
    .init("a new folder", "doc n/x n/m/y", ["discovered n", "discovered n/x", "discovered n/m", "discovered n/m/y"]),
    .init("a new symbolic link", "ln -s a l", ["discovered l"]),
    .init("moved in", "doc $OUT/b; mv $OUT/b .", ["discovered b"]),
    .init("a folder moved in", "doc $OUT/n/x; mv $OUT/n .", ["discovered n", "discovered n/x"]),
    .init("copied", "cp a b", ["discovered b"], withContents: ["duplicated a => b"]),
    .init("copied with its tag", "cp -a a b", ["duplicated a => b"]),
    .init("copied with its tag to a folder", before: "doc a f/x", "cp -a a f/", ["duplicated a => f/a"]),
    .init("copied twice with its tag", "cp -a a b; cp -a a c", ["duplicated a => b", "duplicated a => c"]),
    .init("the copy copied", "cp -a a b; cp -a b c", ["duplicated a => b", "duplicated a => c"]),
    .init("the copy copied and removed", "cp -a a b; cp -a b c; rm b", ["duplicated a => c"]),
    .init("copied, then written", "cp -a a b; echo more >> a", ["duplicated a => b", "modified a"]),
    .init("copied, then the copy written", "cp -a a b; echo more >> b", ["duplicated a => b"]),
    .init("copied, then renamed", "cp -a a b; mv a c", ["renamed a -> c", "duplicated c (a) => b"]),
    .init("copied, then replaced", "cp -a a b; doc t; mv t a", ["modified a", "duplicated a => b"]),
    .init("renamed, then copied", "mv a b; cp -a b c", ["renamed a -> b", "duplicated b (a) => c"]),
    .init(
      "moved, then copied back", before: "doc a f/x", "mv a f/; cp -a f/a a",
      ["moved a -> f/a", "duplicated f/a (a) => a"]),
    .init("copied with its tag, then removed", "cp -a a b; rm a", ["renamed a -> b"]),
    .init("copied with its tag to a folder, then removed", before: "doc a f/x", "cp -a a f/; rm a", ["moved a -> f/a"]),
    .init(
      "copied without its tag, then removed", "cp a b; rm a", ["deleted(removed) a", "discovered b"],
      withContents: ["renamed a -> b"]),
    .init(
      "a folder copied", before: "doc d/x", "cp -r d e", ["discovered e", "discovered e/x"],
      withContents: ["discovered e", "duplicated d/x => e/x"]),
    .init(
      "a folder copied with its tags", before: "doc d/x", "cp -a d e", ["duplicated d => e", "duplicated d/x => e/x"]),
    .init(
      "a folder copied with its tags, then removed", before: "doc d/x d/y/z", "cp -a d e; rm -r d", ["renamed d -> e"]),
    .init(
      "a folder copied with its tags to another, then removed", before: "doc d/x f/y", "cp -a d f/; rm -r d",
      ["moved d -> f/d"]),
    .init(
      "a folder copied with its tags, and a copy in it written", before: "doc d/x", "cp -a d e; echo more >> e/x",
      ["duplicated d => e", "duplicated d/x => e/x"]),
    .init(
      "a folder copied with its tags, and removed, and copied back", before: "doc d/x",
      "cp -a d e; rm -r d; cp -a e d", ["duplicated d => e", "duplicated d/x => e/x"]),
    .init(
      "a folder copied with its tags under its name, then renamed", before: "doc d/e/x f/y",
      "cp -a d/e f/; mv d/e d/g",
      ["renamed d/e -> d/g", "duplicated d/g (d/e) => f/e", "duplicated d/g/x (d/e/x) => f/e/x"]),
    .init(
      "a folder moved into another of its name", before: "doc d/x", "mv d t; mkdir d; mv t d/e",
      ["discovered d", "moved d -> d/e"]),
    .init(
      "a folder moved into its own copy", before: "doc d/x", "cp -a d c; mv d t; mv c d; mv t d/e",
      ["moved d -> d/e", "duplicated d/e (d) => d", "duplicated d/e/x (d/x) => d/x"]),
    .init(
      "a folder renamed and copied", before: "doc d/x", "mv d e; cp -a e f",
      ["renamed d -> e", "duplicated e (d) => f", "duplicated e/x (d/x) => f/x"]),
    .init(
      "rsync -a of a copy", needs: ["rsync"], "rsync -a a b", ["discovered b"], withContents: ["duplicated a => b"]),
    .init("rsync -aX of a copy", needs: ["rsync"], "rsync -aX a b", ["duplicated a => b"]),
    .init(
      "tar with attributes", before: "doc d/x",
      "mkdir n; tar --xattrs '--xattrs-include=user.*' -cf - d | tar -C n --xattrs '--xattrs-include=user.*' -xf -",
      ["discovered n", "duplicated d => n/d", "duplicated d/x => n/d/x"]),
    .init(
      "a new file with a tag of its own", "doc b; setfattr -n user.fsobserver.uuid -v \(strange) b", ["discovered b"]),
  ]

  /// A UUID that no file has.
  private static let strange = "5f0c8a52-9d3e-4a6b-8d77-0e1f2a3b4c5d"

  static let removals: [Self] = [
    .init("removed", "rm a", ["deleted(removed) a"]),
    .init("moved out", "mv a $OUT/", ["deleted(removed) a"]),
    .init(
      "a folder removed", before: "doc d/x d/e/y", "rm -r d",
      ["d/e/y", "d/e", "d/x", "d"].map { "deleted(removed) \($0)" }),
    .init("a folder moved out", before: "doc d/x", "mv d $OUT/", ["deleted(removed) d/x", "deleted(removed) d"]),
    .init(
      "a file moved out of a folder that was removed", before: "doc d/x d/y", "mv d/x .; rm -r d",
      ["moved d/x -> x", "deleted(removed) d/y", "deleted(removed) d"]),
    .init("removed, and a folder in its place", "rm a; mkdir a", ["deleted(removed) a", "discovered a"]),
    .init(
      "a folder removed, and a file in its place", before: "doc d/x", "rm -r d; doc d",
      ["deleted(removed) d/x", "deleted(replaced) d", "discovered d"]),
    .init(
      "removed, and a link in its place", before: "doc a b", "ln -sf b a", ["deleted(replaced) a", "discovered a"]),
    .init(
      "a link replaced by a file", before: "doc a; ln -s a l", "sed -i s/text/word/ l",
      ["deleted(replaced) l", "discovered l"]),
    .init("to the trash", "trash a", ["deleted(trashed) a"]),
    .init(
      "a folder to the trash", before: "doc d/x", "trash d", ["deleted(trashed) d/x", "deleted(trashed) d"]),
    .init("to the trash and back", "trash a; restore a", []),
    .init("renamed and to the trash", "mv a b; trash b", ["deleted(trashed) a"]),
    .init("to the trash, and a new one in its place", "trash a; doc a", ["modified a"]),
    .init("removed, and a copy of it left", before: "doc a; cp -a a b", "rm a", ["deleted(removed) a"]),
    .init("hidden", "mv a .a", ["deleted(removed) a"]),
    .init("shown", before: "doc a .b", "mv .b b", ["discovered b"]),
  ]

  /// What had left in an earlier run, and comes back.
  static let returns: [Self] = [
    .init("back from outside", observed: "mv a $OUT/", "mv $OUT/a .", ["discovered(returned) a"]),
    .init("back from the trash", observed: "trash a", "restore a", ["discovered(returned) a"]),
    .init("back under another name", observed: "mv a $OUT/", "mv $OUT/a b", ["discovered(returned) b"]),
    .init(
      "back in another folder", before: "doc a f/x", observed: "mv a $OUT/", "mv $OUT/a f/",
      ["discovered(returned) f/a"]),
    .init("back, then written", observed: "mv a $OUT/", "mv $OUT/a .; echo more >> a", ["discovered(returned) a"]),
    .init(
      "back over another", before: "doc a b", observed: "mv a $OUT/", "mv $OUT/a b",
      ["deleted(replaced) b", "discovered(returned) b"]),
    .init(
      "back with a copy", observed: "mv a $OUT/", "mv $OUT/a .; cp -a a b",
      ["discovered(returned) a", "duplicated a (new) => b"]),
    .init("a copy of it comes back", observed: "cp -a a $OUT/; rm a", "mv $OUT/a .", ["discovered(returned) a"]),
    .init(
      "a folder back", before: "doc d/x d/y", observed: "mv d $OUT/", "mv $OUT/d e",
      ["discovered(returned) e", "discovered(returned) e/x", "discovered(returned) e/y"]),
    .init(
      "a folder back without its tags", before: "doc d/x", observed: "mv d $OUT/", "cp -r $OUT/d .",
      ["discovered d", "discovered d/x"]),
    .init(
      "removed, and made anew later", observed: "rm a", "doc a", ["discovered a"],
      withContents: ["discovered(returned) a"]),
    .init(
      "removed, and put back from a backup", observed: "cp -p a $OUT/; rm a", "cp -p $OUT/a .",
      ["discovered(returned) a"]),
    .init(
      "removed, and another version put back", observed: "cp -p a $OUT/; rm a", "cp -p $OUT/a .; touch a",
      ["discovered a"], withContents: ["discovered(returned) a"]),
    .init(
      "a folder removed, and unpacked from an archive", before: "doc d/x",
      observed: "tar cf $OUT/d.tar d; rm -r d", "tar xf $OUT/d.tar", ["discovered d", "discovered(returned) d/x"]),
    .init(
      "removed, and another renamed to its name", before: "doc a b", observed: "rm a", "mv b a", ["renamed b -> a"]),
  ]

  static let links: [Self] = [
    .init("linked", "ln a b", ["linked b (a)"]),
    .init("linked to a folder", before: "doc a f/x", "ln a f/b", ["linked f/b (a)"]),
    .init("linked, then the first name removed", "ln a b; rm a", ["renamed a -> b"]),
    .init("a further name removed", observed: "ln a b", "rm b", ["unlinked b (a)"]),
    .init("the first name removed", observed: "ln a b", "rm a", ["unlinked a", "renamed a -> b"]),
    .init("all names removed", observed: "ln a b", "rm a b", ["unlinked b (a)", "deleted(removed) a"]),
    .init("a further name renamed", observed: "ln a b", "mv b c", ["renamed b -> c (a)"]),
    .init("the first name renamed", observed: "ln a b", "mv a c", ["renamed a -> c"]),
    .init(
      "both names renamed", observed: "ln a b", "mv a c; mv b d", ["renamed a -> c", "renamed b -> d (a)"],
      or: ["renamed a -> d", "renamed b -> c (a)"]),
    .init("a linked file written", observed: "ln a b", "echo more >> b", ["modified a"]),
    .init(
      "the folder of a further name renamed", before: "doc a d/x", observed: "ln a d/b", "mv d e", ["renamed d -> e"]),
    .init("a linked file, one name linked again", observed: "ln a b", "rm b; ln a c", ["renamed b -> c (a)"]),
  ]

  /// What changes nothing that is announced.
  static let untold: [Self] = [
    .init("another mode", "chmod 600 a", []),
    .init("another attribute", "setfattr -n user.comment -v text a", []),
    .init("made and removed", "doc b n/x; rm -r b n", []),
    .init("without its tag", "setfattr -x user.fsobserver.uuid a", []),
    .init("with another tag", "setfattr -n user.fsobserver.uuid -v \(strange) a", []),
    .init(
      "with the tag of another", before: "doc a b",
      "setfattr -n user.fsobserver.uuid -v \"$(getfattr --only-values -n user.fsobserver.uuid b)\" a", []),
    .init(
      "with the tag of another that was removed", before: "doc a b",
      "setfattr -n user.fsobserver.uuid -v \"$(getfattr --only-values -n user.fsobserver.uuid b)\" a; rm b",
      ["deleted(removed) b"]),
    .init("a named pipe", "mkfifo p; rm p; mkfifo p", []),
    .init("a file in a hidden folder", before: "doc a .h/x", "echo more >> .h/x; mv .h/x .h/y", []),
    .init(
      "written, with its size and time as before",
      "touch -r a t; sed s/text/word/ a > u; cat u > a; touch -r t a; rm t u", []),
  ]
}
#endif
