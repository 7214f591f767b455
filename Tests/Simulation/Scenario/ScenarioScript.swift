import FileIdentity
import FileSystemObservation
import LinuxFileSystem
import SystemPackage

/// What one word of a script, with its arguments, stands for.
enum ScenarioCommand {
  /// System calls of programs; an interrupted rename tells its second half later.
  case steps([Step], isInterrupted: Bool)
  /// Observers take so many of the events that wait, all of them or one.
  case deliver(observer: Int?, count: Int)
  /// Time passes, in which observers do what is due.
  case pass(Int64)
  /// Only the clock goes on.
  case stall(Int64)
  case settle
  case begin(Int)
  case kill(Int)
  /// Of the calls of this kind that observers make next, the one with this number fails.
  case fail(CallKind, number: Int)
  /// A system call of a program, done just before observers make the call of this kind with this number.
  case during(CallKind, number: Int, Step)
  /// No part of the language.
  case unknown(String)

  var steps: [Step] {
    switch self {
    case .steps(let steps, _): steps
    case .during(_, _, let step): [step]
    default: []
    }
  }
}

/// A script as words: a verb and its arguments follow each other, and semicolons only help the eye.
///
/// | verbs | |
/// |---|---|
/// | `new A`, `append A`, `mkdir A`, `symlink A` | a file that is complete; one that is opened, written and closed |
/// | `create A`, `open A`, `truncate A`, then `write A`, `map A`, `close A` | a file that is open, known by the name it was opened by |
/// | `unnamed A`, then `name A B` | `O_TMPFILE` and `linkat`: in the folder of A, known as A while it is open |
/// | `rename A B`, `exchange A B`, `link A B`, `unlink A`, `rmdir A`, `remove A` | the last is `rm -r` |
/// | `app-rename A B` | the observer does it for its app |
/// | `app-trash A B` | likewise; B is outside |
/// | `app-save A B` | likewise; B gets A, which is new, as its next version |
/// | `slowly rename A B`, `slowly exchange A B` | interrupted between its events, until the next word that makes a call |
/// | `copy A B`, `copy-a A B`, `copy-late A B` | without the tag; with it before the close; with it after the close |
/// | `copy-a-tree A B` | a folder, with tags: those of folders when they are full |
/// | `tag A B`, `garble A`, `strip A`, `touch A`, `chmod-000 A`, `chmod-644 A` | the first writes the tag of A to B |
/// | <code>\|</code>, <code>\|2</code>, <code>1\|</code>, <code>1\|2</code> | all observers take all events, or two; observer 1 does |
/// | `600ms`, `+50ms` | so much time passes; the clock goes on, and nobody gets to do anything |
/// | `…` | two seconds pass, and all is quiet |
/// | `begin 0`, `kill 0` | an observer begins, is killed |
/// | `fail readTag`, `fail readTag@2` | the next such call of an observer fails, the second one after this |
/// | `during look@2 rename A B` | just before the second such call of an observer this is done |
/// | `app-save A B during commit rename B C` | just after the call of the app's operation this is done |
struct ScenarioScript {
  private var words: ArraySlice<Substring>
  private let names: NameTable
  private let root: Path
  /// Which number stands for an open file, by the name it was opened by.
  private var files: [Substring: Int] = [:]

  init(_ text: String, _ names: NameTable, root: Path) {
    words = text.split { $0.isWhitespace || $0 == ";" }[...]
    self.names = names
    self.root = root
  }

  /// The commands of the whole script.
  mutating func commands() -> [ScenarioCommand] {
    var commands: [ScenarioCommand] = []
    while let word = words.popFirst() { commands.append(command(word)) }
    return commands
  }

  private mutating func command(_ word: Substring) -> ScenarioCommand {
    switch word {
    case "…": .settle
    case "begin": .begin(number())
    case "kill": .kill(number())
    case "fail": failure()
    case "during": during()
    case "slowly": calls(argument(), isInterrupted: true)
    default: delivery(word) ?? time(word) ?? calls(word, isInterrupted: false)
    }
  }

  private mutating func calls(_ verb: Substring, isInterrupted: Bool) -> ScenarioCommand {
    steps(verb).map { .steps($0, isInterrupted: isInterrupted) } ?? .unknown(String(verb))
  }

  private mutating func argument() -> Substring { words.popFirst() ?? "" }

  private mutating func number() -> Int { Int(argument()) ?? 0 }

  private mutating func failure() -> ScenarioCommand {
    let word = argument()
    return call(word).map { .fail($0.kind, number: $0.number) } ?? .unknown("fail \(word)")
  }

  private mutating func during() -> ScenarioCommand {
    let (word, verb) = (argument(), argument())
    guard let (kind, number) = call(word), let action = action(verb) else { return .unknown("during \(word) \(verb)") }
    return .during(kind, number: number, Step(action))
  }

  /// Which call of an observer a word means.
  private func call(_ word: Substring) -> (kind: CallKind, number: Int)? {
    let kinds: [Substring: CallKind] = [
      "open": .open, "look": .look, "list": .list, "readTag": .readTag, "writeTag": .writeTag, "probe": .probe,
      "mark": .mark, "commit": .commit,
    ]
    let parts = word.split(separator: "@")
    let number = parts.count > 1 ? Int(parts[1]) ?? 1 : 1
    return kinds[parts.first ?? ""].map { ($0, number) }
  }

  private func delivery(_ word: Substring) -> ScenarioCommand? {
    let parts = word.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    return .deliver(observer: Int(parts[0]), count: Int(parts[1]) ?? .max)
  }

  private func time(_ word: Substring) -> ScenarioCommand? {
    guard word.hasSuffix("ms"), let count = Int64(word.dropLast(2)) else { return nil }
    return word.hasPrefix("+") ? .stall(count * 1_000_000) : .pass(count * 1_000_000)
  }

  private mutating func path() -> Path { names.path(String(argument()), from: root) }

  /// The number of a file that is opened now.
  private mutating func opened() -> (Path, Int) {
    let name = words.first ?? ""
    let number = files.count + 1
    files[name] = number
    return (path(), number)
  }

  private mutating func open() -> Int { files[argument()] ?? 0 }
}

// MARK: - System calls

extension ScenarioScript {
  private mutating func steps(_ verb: Substring) -> [Step]? {
    if let style = CopyStyle(verb) { return Script.copy(path(), path(), style, file: 0, over: true) }
    return switch verb {
    case "new": Script.create(path())
    case "append": [.open(path(), 0, truncating: false, creating: false), .write(0), .close(0)].map { Step($0) }
    case "tag": [Step(.readTag(path())), Step(.writeTag(path()))]
    default: action(verb).map { [Step($0)] }
    }
  }

  private mutating func action(_ verb: Substring) -> Action? {
    switch verb {
    case "create", "open", "truncate", "unnamed": opening(verb)
    case "write": .write(open())
    case "map": .writeMapped(open())
    case "close": .close(open())
    case "name": .linkUnnamed(open(), path())
    case "mkdir": .make(.directory, path())
    case "symlink": .make(.symlink, path())
    case "link": .link(path(), path())
    case "unlink": .unlink(path())
    case "rmdir": .rmdir(path())
    case "remove": .removeTree(path())
    case "copy-a-tree": .copyTree(path(), path(), .tagBeforeClose)
    case "rename": .rename(path(), path(), .replacing)
    case "exchange": .rename(path(), path(), .exchanging)
    case "app-rename": ownRename()
    case "app-save": ownSave()
    case "app-trash": ownTrashing()
    default: attributes(verb)
    }
  }

  /// A rename that an app has its observer make.
  private mutating func ownRename() -> Action {
    let (from, to) = (path(), path())
    return .own(.rename(from, to, .replacing), OwnAction(source: from, destination: to))
  }

  private mutating func ownTrashing() -> Action {
    let (from, to) = (path(), path())
    return .own(.rename(from, to, .notReplacing), OwnAction(source: from, reason: .trashed))
  }

  /// A document's new version, which an app has its observer put in the place of the old one.
  private mutating func ownSave() -> Action {
    let (made, document) = (path(), path())
    return .own(.rename(made, document, .replacing), OwnAction(destination: document, isMaking: true))
  }

  private mutating func opening(_ verb: Substring) -> Action {
    let (path, file) = opened()
    return switch verb {
    case "create": .create(path, file)
    case "unnamed": .createUnnamed(in: path.parent, file)
    default: .open(path, file, truncating: verb == "truncate", creating: false)
    }
  }

  private mutating func attributes(_ verb: Substring) -> Action? {
    switch verb {
    case "strip": .setTag(path(), .none)
    case "garble": .setTag(path(), .garbage(5))
    case "touch": .touch(path())
    case "chmod-000": .chmod(path(), 0)
    case "chmod-644": .chmod(path(), 0o644)
    default: nil
    }
  }
}

extension CopyStyle {
  fileprivate init?(_ verb: Substring) {
    switch verb {
    case "copy": self = .plain
    case "copy-a": self = .tagBeforeClose
    case "copy-late": self = .tagAfterClose
    default: return nil
    }
  }
}

extension NameTable {
  /// A path below a folder, or with a slash before it below the root of the machine.
  func path(_ text: String, from folder: Path) -> Path {
    text.hasPrefix("/") ? path(text) : Path(folder.names + path(text).names)
  }
}
