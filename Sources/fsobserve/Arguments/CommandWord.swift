import ArgumentParser

/// The word that names the command.
///
/// It is checked before the parser runs, which only counts unexpected words.
enum CommandWord {
  private static let help = "help"
  private static var commands: [String] {
    FSObserve.configuration.subcommands.map { $0._commandName }
  }

  /// Refuses an unknown command, also as the argument of `help`.
  static func check(_ arguments: [String]) throws(CommandMistake) {
    guard let first = arguments.first, !first.hasPrefix("-") else { return }
    if first != help { return try check(first, among: commands + [help]) }
    if arguments.count > 1, !arguments[1].hasPrefix("-") { try check(arguments[1], among: commands) }
  }

  private static func check(_ word: String, among known: [String]) throws(CommandMistake) {
    if known.contains(word) { return }
    let question = Suggestion.question(for: word, among: known)
    throw CommandMistake(
      "there is no command '\(RawArgument.display(word))'\(question.isEmpty ? "." : question) "
        + "The commands are \(commands.listed(with: "and"))")
  }
}
