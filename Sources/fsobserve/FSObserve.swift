import ArgumentParser

/// The command line tool.
@main
struct FSObserve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fsobserve",
    abstract: "Knows each file of a folder by an identity that stays, whatever happens to the file.",
    discussion: """
      Every file and folder gets a UUID, kept in the extended attribute user.fsobserver.uuid. It stays with the \
      document when that is renamed, moved or saved by an editor; a copy gets a UUID of its own.

      Exit status: 0 on success, 1 on failure, 64 for a mistake on the command line. Messages and progress go to \
      standard error only.

      EXAMPLES:
        What is in a folder:
            fsobserve scan ~/Documents
        What happens in it:
            fsobserve watch ~/Documents
        The same, as JSON, and first what happened since the last time:
            fsobserve watch ~/Documents --store ~/documents.store --format jsonl
        Where a file is now:
            fsobserve find "$(fsobserve id letter.txt | cut -c -36)" ~/Documents
      """,
    version: "0.1.0",
    subcommands: commands)

  private static var commands: [any ParsableCommand.Type] {
    var commands: [any ParsableCommand.Type] = [
      Scan.self, Watch.self, ID.self, Find.self, Bookmark.self, Resolve.self, Untag.self, Doctor.self,
    ]
    #if Store
    commands.insert(Log.self, at: 2)
    #endif
    return commands
  }

  static func main() {
    ProcessSetup.ignoreBrokenPipe()
    ProcessSetup.raiseDescriptorLimit()
    ProcessSetup.closeStreamsAtExit()
    do {
      try StandardStream.secure()
      let arguments = ProcessSetup.arguments.map(RawArgument.encode)
      try CommandWord.check(arguments)
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      Ending(error).end()
    }
  }
}
