import ArgumentParser

/// Watchers against each other: the same is done before each of them in turn, A B A B, so that whatever else the
/// machine does, it does to all of them.
@main struct Contest: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures this library and other watchers in turns.",
    subcommands: [
      LatencyCommand.self, ReadyCommand.self, StormCommand.self, ArrivalsCommand.self, SizeCommand.self,
      ListenersCommand.self, ListsCommand.self, OperationsCommand.self, IdleCommand.self, ObserveCommand.self,
      FloorCommand.self,
    ])
}
