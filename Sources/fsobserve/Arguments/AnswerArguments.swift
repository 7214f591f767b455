import ArgumentParser

/// The form of the answer of a command that answers once.
enum AnswerFormat: String, WordArgument {
  case text, json
}

/// The arguments that `id`, `find` and `untag` share.
struct AnswerArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("Lines for people (text), or a JSON object each (json); default: text.", valueName: "format"),
    completion: AnswerFormat.completion, transform: Parsing.word)
  var format: AnswerFormat = .text
}
