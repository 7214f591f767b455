#if Store
import FoundationEssentials
import ObservationTestSupport

/// What is done in a folder while nothing observes it, and what is announced of that afterwards.
struct OfflineCase: Sendable {
  let name: String
  /// A script that makes what is there before.
  ///
  /// `doc NAME…` writes documents, `trash NAME` and `restore NAME` use the trash folder of the tree, and `OUT` is a
  /// folder outside.
  let before: String
  /// A script of what is done while the first observer runs.
  let observed: String
  /// A script of what is done while nothing observes.
  let meanwhile: String
  /// The announcements, in the words of `OfflineAccount`; those of finished files follow from them.
  let expected: [String]
  /// What may be announced instead, where nobody can know.
  let alternative: [String]?
  /// The announcements where contents are evidence.
  let expectedWithContents: [String]
  /// Programs that not every machine has.
  let needs: [String]

  init(
    _ name: String, before: String = "doc a", observed: String = "", needs: [String] = [], _ meanwhile: String,
    _ expected: [String], or alternative: [String]? = nil, withContents: [String]? = nil
  ) {
    self.name = name
    self.before = before
    self.observed = observed
    self.meanwhile = meanwhile
    self.expected = expected.sorted()
    expectedWithContents = (withContents ?? expected).sorted()
    self.alternative = alternative?.sorted()
    self.needs = needs
  }

  static let all = names + folders + saves + programs + copies + removals + returns + links + untold

  /// The programs that are not installed.
  var missing: [String] {
    let folders = (Environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return needs.filter { program in
      !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
  }

  /// Functions of the scripts; each document of a case has another size, and another content than all others.
  private static let functions = """
    set -e
    doc() {
      for f; do
        [ "$f" = "${f%/*}" ] || mkdir -p "${f%/*}"
        printf 'the text of %s in %s\\n%*s' "$f" "${PWD##*/}" $((64 + ++N)) '' > "$f"
      done
    }
    git() { command git -c user.name=a -c user.email=a@example.org -c init.defaultBranch=main "$@"; }
    vi() { vim -u NONE -i NONE -N -es -c "set $1" -c 'normal! Gomore' -c wq "$2" < /dev/null > /dev/null; }
    trash() {
      mkdir -p "$T/files" "$T/info"
      printf '[Trash Info]\\nPath=%s\\nDeletionDate=2026-01-01T00:00:00\\n' "$PWD/$1" > "$T/info/$1-of-$$.trashinfo"
      mv "$1" "$T/files/$1-of-$$"
    }
    restore() {
      I=$(grep -lxF "Path=$PWD/$1" "$T"/info/*.trashinfo); F=${I##*/}
      mv "$T/files/${F%.trashinfo}" "$1"
      rm "$I"
    }
    """

  /// Runs a script in the folder of the case.
  static func run(_ script: String, in folder: Folder, of root: Folder, outside: Folder) throws {
    try Command.run(
      "bash", "-c",
      """
      \(functions)
      cd '\(folder.path)'; OUT='\(outside.path)'; T='\(root.path)'/.Trash-$UID; export HOME=$OUT
      \(script)
      """)
  }
}
#endif
