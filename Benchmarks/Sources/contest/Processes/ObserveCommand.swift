import ArgumentParser
import FileSystemObservation
import Foundation

/// This library in a process of its own, as an app has it: it says when it is ready, and goes on until it is ended.
struct ObserveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "observe", abstract: "Observes a folder, for the other commands.", shouldDisplay: false)

  static let ready = "ready: all is known"

  @Option var source = "automatic"
  @Flag(help: "Prints a line for each change.") var tells = false
  @Flag(help: "Ends when it is ready.") var once = false
  @Argument var folder: String

  func run() throws {
    var configuration = FileSystemObserver.Configuration(directory: URL(filePath: folder))
    switch source {
    case "automatic": break
    case "inotify": configuration.backend = .inotify
    case "fanotify": configuration.backend = .fanotify
    case "polling": configuration.backend = .polling
    default: throw ValidationError("--source is automatic, inotify, fanotify or polling")
    }
    let observer = FileSystemObserver(configuration)
    let ended = DispatchSemaphore(value: 0)
    let token = observer.addNotificationBlock { _, notification in
      switch notification {
      case .didCompleteFullScan:
        print(Self.ready)
        fflush(nil)
        if once { ended.signal() }
      case .didChange(let set):
        if tells { Self.tell(set) }
      case .reset(let inventory, _):
        if tells { Self.write(inventory.map { "there \($0.path)\n" }.joined()) }
      case .didEnd: ended.signal()
      default: break
      }
    }
    try observer.start()
    ended.wait()
    token.invalidate()
  }

  private static func tell(_ set: FileSystemChanges) {
    var text = ""
    for change in set {
      text += change.kind.rawValue
      if let previous = change.previousPath { text += " \(previous)" }
      text += " \(change.path)\n"
    }
    write(text)
  }

  /// In one go, as far as the output takes it.
  private static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
