import ArgumentParser

/// In which form a command that asks once answers.
enum AnswerFormat: String, WordArgument {
  case text, json
}

/// What `id`, `find` and `untag` have in common.
struct AnswerArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("Lines for people (text), or a JSON object each (json); default: text.", valueName: "format"),
    completion: AnswerFormat.completion, transform: Parsing.word)
  var format: AnswerFormat = .text
}
