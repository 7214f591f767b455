import FoundationEssentials
import ObservationTestSupport
import Testing

/// A program that is installed on many machines, and how it saves a document.
struct SavingProgram: Sendable, CustomTestStringConvertible {
  let name: String
  /// What must be installed.
  let executables: [String]
  /// Run once in the observed folder, with `OUT` for a folder outside.
  var prepare = "true"
  /// Run there for each save, with its number as `N`; `$OUT/doc.txt` has the contents that are to be saved.
  let save: String

  var testDescription: String { name }

  /// What is not installed.
  var missing: [String] {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return executables.filter { executable in
      !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(executable)") }
    }
  }
}

extension SavingProgram {
  private static func vim(_ name: String, _ settings: String) -> Self {
    Self(
      name: name, executables: ["vim"],
      save: "vim -u NONE -i NONE -N -es -c 'set \(settings)' -c \"normal! Goline $N\" -c wq doc.txt < /dev/null")
  }

  /// Types into an editor that needs a terminal: what it throws away while it starts must not be typed yet.
  private static let typing = """
    import os, pty, select, sys
    editor, terminal = pty.fork()
    if editor == 0:
        os.environ["TERM"] = "xterm"
        os.execvp(sys.argv[1], sys.argv[1:])
    def type(keys, prompt):
        seen = b""
        while prompt not in seen:
            if not select.select([terminal], [], [], 30)[0]: os.kill(editor, 9)
            seen += os.read(terminal, 4096)
        os.write(terminal, keys)
    type(b"line\\x0f", b"doc.txt")
    type(b"\\r", b"Write")
    type(b"\\x18", b"Wrote")
    sys.exit(os.waitpid(editor, 0)[1] != 0)
    """

  static let all: [Self] = [
    vim("vim", "noswapfile"), vim("vim with a swap file", "swapfile"),
    vim("vim with a backup", "backup backupcopy=no"), vim("vim that copies", "backup backupcopy=yes"),
    Self(name: "nano", executables: ["nano", "python3"], save: "python3 -c '\(typing)' nano doc.txt"),
    Self(
      name: "emacs", executables: ["emacs"],
      save: "emacs --batch -Q doc.txt --eval '(progn (goto-char (point-max)) (insert \"line\") (save-buffer))'"),
    Self(name: "ed", executables: ["ed"], save: "printf 'a\\nline\\n.\\nw\\nq\\n' | ed -s doc.txt"),
    Self(name: "sed -i", executables: ["sed"], save: "sed -i \"s/.*/line $N/\" doc.txt"),
    Self(name: "sed -i.bak", executables: ["sed"], save: "sed -i.bak \"s/.*/line $N/\" doc.txt"),
    Self(name: "perl -i", executables: ["perl"], save: "perl -pi -e \"s/.*/line $N/\" doc.txt"),
    Self(name: "perl -i.orig", executables: ["perl"], save: "perl -pi.orig -e \"s/.*/line $N/\" doc.txt"),
    Self(
      name: "python", executables: ["python3"],
      save: "python3 -c \"import os; open('t$N','w').write('line $N'); os.replace('t$N','doc.txt')\""),
    Self(
      name: "git checkout", executables: ["git"],
      prepare: """
        git init -q . && git config user.email a@example.org && git config user.name a && git add doc.txt &&
        git commit -qm 1 && git tag v1 && echo second > doc.txt && git commit -qam 2 && git tag v0
        """,
      save: "git checkout -q v$((N % 2))"),
    Self(name: "rsync -a", executables: ["rsync"], save: "rsync -a $OUT/doc.txt ."),
    Self(name: "rsync -aX", executables: ["rsync"], save: "rsync -aX $OUT/doc.txt ."),
    Self(name: "rsync --inplace", executables: ["rsync"], save: "rsync -a --inplace $OUT/doc.txt ."),
    Self(name: "rsync --backup", executables: ["rsync"], save: "rsync -ab $OUT/doc.txt ."),
    Self(name: "cp -a", executables: ["cp"], save: "cp -a $OUT/doc.txt doc.txt"),
    Self(name: "cp --remove-destination", executables: ["cp"], save: "cp --remove-destination $OUT/doc.txt doc.txt"),
    Self(name: "cp --backup=numbered", executables: ["cp"], save: "cp --backup=numbered $OUT/doc.txt doc.txt"),
    Self(name: "mv", executables: ["mv"], save: "mv -f $OUT/doc.txt doc.txt"),
    Self(name: "install", executables: ["install"], save: "install -m 644 $OUT/doc.txt doc.txt"),
    Self(name: "tee", executables: ["tee"], save: "tee doc.txt < $OUT/doc.txt > /dev/null"),
    Self(name: "tar", executables: ["tar"], save: "tar -C $OUT -cf - doc.txt | tar -xf -"),
    Self(
      name: "unzip", executables: ["zip", "unzip"],
      save: "rm -f $OUT/a.zip && (cd $OUT && zip -q a.zip doc.txt) && unzip -qo $OUT/a.zip"),
    Self(name: "gio save", executables: ["gio"], save: "gio save doc.txt < $OUT/doc.txt"),
    Self(name: "gio save with a backup", executables: ["gio"], save: "gio save -b doc.txt < $OUT/doc.txt"),
    Self(name: "gio copy", executables: ["gio"], save: "gio copy $OUT/doc.txt doc.txt"),
    Self(name: "gio move", executables: ["gio"], save: "gio move $OUT/doc.txt doc.txt"),
    Self(
      name: "LibreOffice", executables: ["soffice"],
      save: "soffice -env:UserInstallation=file://$OUT/profile --headless --convert-to txt:Text --outdir . $OUT/doc.txt"
    ),
  ]
}
