import FileTestSupport
import FoundationEssentials
import SystemPackage
import Testing

/// Shells complete commands, options, their words, and paths where paths are wanted; those that are installed are asked.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct CompletionTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.shell("mkdir photos .scripts && touch letter.txt")
    for (shell, name) in [("bash", "fsobserve.bash"), ("zsh", "_fsobserve"), ("fish", "fsobserve.fish")] {
      let script = try Tool.run("--generate-completion-script", shell)
      #expect(script.status == 0)
      try script.output.write(to: URL(filePath: folder[".scripts/\(name)"]), atomically: false, encoding: .utf8)
    }
  }

  /// What can follow a line that ends with a space, or with the beginning of a word.
  struct Expectation: Sendable, CustomTestStringConvertible {
    var line: String
    var words: [String]
    var testDescription: String { line }

    init(_ line: String, _ words: String...) {
      self.line = line
      self.words = words
    }
  }

  private static let expectations = [
    Expectation("fsobserve wa", "watch"),
    Expectation("fsobserve watch --fo", "--follow-root", "--format"),
    Expectation("fsobserve watch --format ", "jsonl", "text"),
    Expectation("fsobserve id --format ", "json", "text"),
    Expectation("fsobserve scan --source ", "auto", "fanotify", "inotify", "polling"),
    Expectation("fsobserve scan --content ", "all", "documents", "off"),
    Expectation("fsobserve scan ph", "photos"),
    Expectation("fsobserve scan le"),
    Expectation("fsobserve watch le", "letter.txt"),
    Expectation("fsobserve id le", "letter.txt"),
    Expectation("fsobserve log --store le", "letter.txt"),
    Expectation("fsobserve log --store letter.txt ph", "photos"),
    Expectation("fsobserve find "),
    Expectation("fsobserve find 01234567-89ab-cdef-0123-456789abcdef ph", "photos"),
    Expectation("fsobserve log --item "),
    Expectation("fsobserve watch --levels "),
  ]

  @Test(.enabled(if: isInstalled("bash")), arguments: expectations)
  func inBash(_ expected: Expectation) throws {
    let words = Shell.run(
      """
      cd "$0" && source .scripts/fsobserve.bash
      read -ra COMP_WORDS <<< "$1"
      case "$1" in *' ') COMP_WORDS+=("") ;; esac
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
      _fsobserve fsobserve "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
      """, folder.string, expected.line)
    #expect(words.errors == "")
    #expect(words.lines.sorted() == expected.words)
  }

  @Test(.enabled(if: isInstalled("fish")), arguments: expectations)
  func inFish(_ expected: Expectation) throws {
    let words = Shell.run(
      #"cd "$0" && HOME="$0" fish --no-config -c 'source .scripts/fsobserve.fish; complete -C "$argv[1]"' "$1""#,
      folder.string, expected.line)
    #expect(words.errors == "")
    let names = words.lines.map { String($0.prefix { $0 != "\t" }) }
    #expect(names.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }.sorted() == expected.words)
  }

  /// Another zsh gets the line in a terminal, and lists what can follow; where no folder fits, it lists files.
  @Test(
    .enabled(if: isInstalled("zsh")),
    arguments: expectations.filter { $0.words.count > 1 || $0.line.hasSuffix(" ") })
  func inZsh(_ expected: Expectation) throws {
    try Self.zsh.write(to: URL(filePath: folder[".scripts/list"]), atomically: false, encoding: .utf8)
    let listing = Shell.run(#"cd "$0" && HOME="$0" zsh -f .scripts/list "$1""#, folder.string, expected.line)
    #expect(listing.errors == "")
    let text = listing.output.replacing(#/\u{1b}\[[0-9;?]*[A-Za-z]/#, with: " ")
    let words = Set(text.split { $0.isWhitespace || $0.isNewline }.map(String.init))
    #expect(words.isSuperset(of: expected.words), "\(text)")
    if expected.words.isEmpty { #expect(words.isDisjoint(with: ["photos", "letter.txt", "jsonl"]), "\(text)") }
  }

  /// One key does the whole: what is typed before the line editor has the terminal is not edited.
  private static let zsh = #"""
    zmodload zsh/zpty
    export TYPED=$1
    zpty shell 'PS1= zsh -f -i'
    zpty -w shell "fpath=($PWD/.scripts \$fpath); autoload -Uz compinit; compinit -u -D"
    zpty -w shell 'list() { BUFFER=$TYPED CURSOR=$#TYPED; zle list-choices; zle -R; BUFFER='\''print DO""NE'\''; zle accept-line }'
    zpty -w shell 'zle -N list; bindkey ^X list'
    zpty -w -n shell $'\C-x'
    while zpty -r shell line && [[ $line != *DONE* ]]; do print -r -- "$line"; done
    """#
}

/// Whether a program is in the usual place.
private func isInstalled(_ program: String) -> Bool {
  FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
}
