import FoundationEssentials
import ObservationTestSupport
import Testing

/// A program that is installed on many machines, and how it saves a document.
struct SavingProgram: Sendable, CustomTestStringConvertible {
  let name: String
  /// What must be installed.
  let executables: [String]
  /// What else must be there, by its path.
  var files: [String] = []
  /// The document that it saves.
  var document = "doc.txt"
  /// Run once in the observed folder, with `OUT` for a folder outside.
  var prepare = "true"
  /// Run there for each save, with its number as `N`; `$OUT/doc.txt` has the contents that are to be saved.
  let save: String

  var testDescription: String { name }

  /// What is not installed.
  var missing: [String] {
    executables.filter { !Self.isInstalled($0) } + files.filter { !FileManager.default.fileExists(atPath: $0) }
  }

  static func isInstalled(_ executable: String) -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(executable)") }
  }
}

extension SavingProgram {
  private static func vim(_ name: String, _ settings: String) -> Self {
    Self(
      name: name, executables: ["vim"],
      save: "vim -u NONE -i NONE -N -es -c 'set \(settings)' -c \"normal! Goline $N\" -c wq doc.txt < /dev/null")
  }

  private static func emacs(_ name: String, _ setting: String) -> Self {
    let edit = "(goto-char (point-max)) (insert \"line\") (save-buffer)"
    return Self(
      name: name, executables: ["emacs"],
      save: "emacs --batch -Q --eval '(setq \(setting))' doc.txt --eval '(progn \(edit))'")
  }

  private static func office(_ arguments: String) -> String {
    "soffice -env:UserInstallation=file://$OUT/profile --headless \(arguments) > /dev/null 2>&1"
  }

  static let all: [Self] = [
    vim("vim", "noswapfile"), vim("vim with a swap file", "swapfile"),
    vim("vim with a backup", "backup backupcopy=no"), vim("vim that copies", "backup backupcopy=yes"),
    Self(name: "nano", executables: ["nano", "python3"], save: "python3 -c '\(ProgramScripts.typing)' nano doc.txt"),
    Self(
      name: "nano with a backup", executables: ["nano", "python3"],
      save: "python3 -c '\(ProgramScripts.typing)' nano -B doc.txt"),
    emacs("emacs", "make-backup-files t"), emacs("emacs without backups", "make-backup-files nil"),
    emacs("emacs that copies", "backup-by-copying t"),
    emacs("emacs with numbered backups", "version-control t delete-old-versions t"),
    emacs("emacs by renaming", "file-precious-flag t"),
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
      name: "LibreOffice", executables: ["soffice"], files: [ProgramScripts.officePython], document: "doc.odt",
      prepare: office("--convert-to odt --outdir . doc.txt"),
      save: "/usr/bin/python3 -c '\(ProgramScripts.storing)' \"$PWD/doc.odt\" $OUT/profile"),
    Self(
      name: "LibreOffice that converts", executables: ["soffice"],
      save: office("--convert-to txt:Text --outdir . $OUT/doc.txt")),
  ]

  /// Those that save every document of a folder and of what is below it.
  static let ofFolders: [Self] = [
    Self(
      name: "git checkout", executables: ["git"],
      prepare: """
        git init -q . && git config user.email a@example.org && git config user.name a && git add . &&
        git commit -qm 1 && git tag v1 && sed -i s/first/second/ *.txt */*.txt */*/*.txt && git commit -qam 2 && git tag v0
        """,
      save: "git checkout -q v$((N % 2))"),
    Self(name: "rsync -a", executables: ["rsync"], save: "rsync -a $OUT/ ."),
    Self(name: "rsync -aX", executables: ["rsync"], save: "rsync -aX $OUT/ ."),
    Self(name: "cp -a", executables: ["cp"], save: "cp -a $OUT/. ."),
    Self(name: "cp -R", executables: ["cp"], save: "cp -R $OUT/. ."),
    Self(name: "tar", executables: ["tar"], save: "tar -C $OUT -cf - . | tar -xf -"),
    Self(name: "tar with attributes", executables: ["tar"], save: "tar -C $OUT --xattrs -cf - . | tar --xattrs -xf -"),
    Self(
      name: "unzip", executables: ["zip", "unzip"],
      save: "(cd $OUT && zip -qr ../a.zip .) && unzip -qo $OUT/../a.zip && rm $OUT/../a.zip"),
    Self(name: "sed -i", executables: ["sed"], save: "sed -i \"s/.*/line $N/\" *.txt */*.txt */*/*.txt"),
    Self(name: "perl -i", executables: ["perl"], save: "perl -pi -e \"s/.*/line $N/\" *.txt */*.txt */*/*.txt"),
  ]
}
