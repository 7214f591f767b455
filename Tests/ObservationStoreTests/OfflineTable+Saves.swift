#if Store
// Saves: in place and by replacement, by shell commands and by programs.

extension OfflineCase {
  static let saves: [Self] = [
    .init("appended", "echo more >> a", ["modified a"]),
    .init("emptied", "truncate -s 0 a", ["modified a"]),
    .init("grown by a hole", "truncate -s 1M a", ["modified a"]),
    .init("saved ten times", "for i in {1..10}; do echo $i >> a; done", ["modified a"]),
    .init("written with what it had", "cat a > t; cat t > a; rm t", ["modified a"]),
    .init("touched", "touch a", ["modified a"]),
    .init("touched in the past", "touch -d 1999-01-01 a", ["modified a"]),
    .init("touched in the future", "touch -d 2199-01-01 a", ["modified a"]),
    .init("written, with its time set back", "touch -r a t; echo more >> a; touch -r t a; rm t", ["modified a"]),
    .init("replaced by a new file", "doc t; mv t a", ["modified a"]),
    .init("removed and made anew", "rm a; doc a", ["modified a"]),
    .init("replaced ten times", "for i in {1..10}; do echo $i > t; mv t a; done", ["modified a"]),
    .init("replaced by one of its size and time", "cp -p a t; mv t a", ["modified a"]),
    .init("replaced from outside", "doc $OUT/b; mv $OUT/b a", ["modified a"]),
    .init("copied over", before: "doc a b", "cp b a", ["modified a"]),
    .init("copied over with the tag of another", before: "doc a b", "cp -a b a", ["modified a"]),
    .init("replaced by a copy with the tag of another", before: "doc a b", "cp -a b t; mv t a", ["modified a"]),
    .init("copied over, removed first", before: "doc a b", "cp --remove-destination b a", ["modified a"]),
    .init("renamed, then written", "mv a b; echo more >> b", ["renamed a -> b", "modified b (a)"]),
    .init("written, then renamed", "echo more >> a; mv a b", ["renamed a -> b", "modified b (a)"]),
    .init(
      "written, then moved", before: "doc a f/x", "echo more >> a; mv a f/", ["moved a -> f/a", "modified f/a (a)"]),
    .init(
      "swapped, then one replaced", before: "doc a b", "mv a t; mv b a; mv t b; doc t; mv t b",
      ["deleted(replaced) a", "renamed b -> a", "discovered b"]),
    .init(
      "swapped, then both replaced", before: "doc a b", "mv a t; mv b a; mv t b; doc t; mv t a; doc t; mv t b",
      ["modified a", "modified b"]),
    .init(
      "moved over another and then written", before: "doc a b", "mv a b; echo more >> b",
      ["deleted(replaced) b", "renamed a -> b", "modified b (a)"]),
    .init("replaced, its former version kept as a backup", "mv a a~; doc a", ["modified a", "duplicated a => a~"]),
    .init(
      "replaced, its former version kept as a linked backup", "ln a a.bak; doc t; mv t a",
      ["modified a", "duplicated a => a.bak"]),
    .init(
      "replaced, its former version kept under any name", "doc t; sleep 0.01; mv a other; mv t a",
      ["modified a", "duplicated a => other"]),
    .init(
      "saved twice, the first version kept as exiftool does", before: "doc a.jpg",
      "doc t; mv a.jpg a.jpg_original; mv t a.jpg; doc t; mv t a.jpg",
      ["modified a.jpg", "duplicated a.jpg => a.jpg_original"]),
    .init(
      "saved beside a file about it", before: "doc a.jpg a.jpg.xmp a.jpg-edits.json",
      "doc t; mv t a.jpg; echo more >> a.jpg.xmp; echo more >> a.jpg-edits.json",
      ["modified a.jpg", "modified a.jpg.xmp", "modified a.jpg-edits.json"]),
    .init(
      "saved twice, the first version kept under any name", "doc t; mv a other; mv t a; doc t; mv t a",
      ["renamed a -> other", "discovered a"]),
    .init(
      "moved, another made in its place, and then all changed by chmod", before: "doc a f/x",
      "mv a f/; sleep 0.1; echo another > a; sleep 0.2; chmod 600 a f/a", ["moved a -> f/a", "discovered a"]),
    .init(
      "moved up in a series, and followed", before: "doc log.2.gz log.1",
      "doc log.1.gz; mv log.2.gz log.3.gz; mv log.1.gz log.2.gz; rm log.1",
      ["deleted(removed) log.1", "renamed log.2.gz -> log.3.gz", "discovered log.2.gz"]),
    .init(
      "replaced, its backup moved over an older one", before: "doc a a.orig",
      "sed -i.bak s/text/word/ a; mv a.bak a.orig",
      ["modified a", "deleted(replaced) a.orig", "duplicated a => a.orig"]),
    .init(
      "replaced, its backup moved over another", before: "doc a b", "sed -i.bak s/text/word/ a; mv a.bak b",
      ["deleted(replaced) b", "renamed a -> b", "discovered a"]),
    .init(
      "replaced, its former version kept in a folder", before: "doc a f/x", "doc t; sleep 0.01; mv a f/; mv t a",
      ["modified a", "duplicated a => f/a"]),
    .init(
      "replaced, its former version kept in a folder, and the times of the folders put back", before: "doc a f/x",
      "touch -r . f/t; doc t; sleep 0.01; mv a f/; mv t a; touch -d '2020-01-01' .; rm f/t; sleep 0.01",
      ["modified a", "duplicated a => f/a"]),
    .init(
      "replaced, its former version kept in a new folder, and the times of both put back", before: "doc a",
      "mkdir n; doc t; sleep 0.01; mv a n/; mv t a; touch -d '2020-01-01' n .",
      ["modified a", "discovered n", "duplicated a => n/a"]),
    .init(
      "brought with their tags, each to the place of the other", before: "doc a; echo longer > b",
      "mkdir .s; cp -a a b .s/; cp -a .s/a .s/t; mv .s/t b; mv .s/b a; rm -r .s",
      ["renamed a -> b", "renamed b -> a"]),
    .init(
      "renamed, and restored from a backup with their tags", before: "doc a; echo longer > b",
      "mkdir .s; cp -a a b .s/; mv b c; mv a b; rm c; cp -a .s/. .; rm -r .s", []),
    .init(
      "replaced, after a backup without attributes", "cp a a.bak; doc t; mv t a", ["modified a", "discovered a.bak"]),
    .init(
      "written, after a backup with attributes", "cp -a a a.bak; echo more >> a",
      ["modified a", "duplicated a => a.bak"]),
    .init(
      "saved again, with a backup again", before: "doc a a~", "mv a a~; doc a",
      ["modified a", "deleted(replaced) a~", "duplicated a => a~"]),
    .init("another link target", before: "ln -s nowhere l", "ln -sfn elsewhere l", ["modified l"]),
  ]

  /// Saves by programs of many machines.
  static let programs: [Self] = [
    .init("sed -i", "sed -i s/text/word/ a", ["modified a"]),
    .init("sed -i.bak", "sed -i.bak s/text/word/ a", ["modified a", "duplicated a => a.bak"]),
    .init("perl -i", needs: ["perl"], "perl -pi -e s/text/word/ a", ["modified a"]),
    .init(
      "perl -i.orig", needs: ["perl"], "perl -pi.orig -e s/text/word/ a", ["modified a", "duplicated a => a.orig"]),
    .init("vim", needs: ["vim"], "vi noswapfile a", ["modified a"]),
    .init("vim with a swap file", needs: ["vim"], "vi swapfile a", ["modified a"]),
    .init("vim that copies", needs: ["vim"], "vi backupcopy=yes a", ["modified a"]),
    .init(
      "vim with a backup", needs: ["vim"], "vi 'backup backupcopy=no' a", ["modified a", "duplicated a => a~"]),
    .init(
      "emacs", needs: ["emacs"],
      "emacs --batch -Q --eval '(setq make-backup-files t)' a --eval '(progn (insert \"x\") (save-buffer))' 2> /dev/null",
      ["modified a", "duplicated a => a~"]),
    .init(
      "emacs without a backup", needs: ["emacs"],
      "emacs --batch -Q --eval '(setq make-backup-files nil)' a --eval '(progn (insert \"x\") (save-buffer))' 2> /dev/null",
      ["modified a"]),
    .init("ed", needs: ["ed"], "printf 'a\\nmore\\n.\\nw\\nq\\n' | ed -s a", ["modified a"]),
    .init(
      "patch", needs: ["patch"], "printf -- '--- a\\n+++ a\\n@@ -0,0 +1 @@\\n+more\\n' | patch -s a", ["modified a"]),
    .init("sort -o", "sort -o a a", ["modified a"]),
    .init("tee", "echo more | tee a > /dev/null", ["modified a"]),
    .init("dd", "echo more | dd of=a conv=notrunc status=none", ["modified a"]),
    .init("install", "doc $OUT/a; install -m 644 $OUT/a a", ["modified a"]),
    .init("gio save", needs: ["gio"], "echo more | gio save a", ["modified a"]),
    .init("gio copy", needs: ["gio"], "doc $OUT/a; gio copy $OUT/a a", ["modified a"]),
    .init("tar", "doc $OUT/a; tar -C $OUT -cf - a | tar -xf -", ["modified a"]),
    .init(
      "zip and unzip", needs: ["zip", "unzip"], "(doc $OUT/a; cd $OUT; zip -q a.zip a); unzip -qo $OUT/a.zip",
      ["modified a"]),
    .init("gzip", needs: ["gzip"], "gzip a", ["deleted(removed) a", "discovered a.gz"]),
    .init("rsync -a", needs: ["rsync"], "doc $OUT/a; rsync -a $OUT/a .", ["modified a"]),
    .init("rsync -aX", needs: ["rsync"], "doc $OUT/a; rsync -aX $OUT/a .", ["modified a"]),
    .init("rsync --inplace", needs: ["rsync"], "doc $OUT/a; rsync -a --inplace $OUT/a .", ["modified a"]),
    .init("rsync -aX of another document", before: "doc a b", needs: ["rsync"], "rsync -aX b a", ["modified a"]),
    .init(
      "rsync -aX --delete", before: "doc a d/x d/y", needs: ["rsync"],
      "doc $OUT/d/x $OUT/d/z; rsync -aX --delete $OUT/d .", ["modified d/x", "deleted(removed) d/y", "discovered d/z"]),
    .init(
      "git checkout", before: "doc a b; git init -q; git add .; git commit -qm 1; echo more >> a; git commit -qam 2",
      needs: ["git"], "git checkout -q HEAD~", ["modified a"]),
    .init(
      "git checkout of a branch with other files",
      before: "doc a b; git init -q; git add .; git commit -qm 1; git checkout -qb other; git mv b c; git commit -qm 2",
      needs: ["git"], "git checkout -q main", ["deleted(removed) c", "discovered b"], withContents: ["renamed c -> b"]),
    .init(
      "git stash", before: "doc a; git init -q; git add .; git commit -qm 1; echo more >> a", needs: ["git"],
      "git stash -q", ["modified a"]),
    .init(
      "git clean", before: "doc a b; git init -q; git add a; git commit -qm 1", needs: ["git"], "git clean -qf",
      ["deleted(removed) b"]),
  ]
}
#endif
