import CAdwaita
import FileSystemObservation
import ObservationGLib

/// Shows the documents of a folder: `DocumentBrowser [--measure] [FOLDER]`.
@main struct Main {
  static func main() {
    // Blocks of the observer come on the main actor, which the loop of GTK runs.
    // Input and drawing (at 120) come first, so that the window moves on while many changes arrive.
    GLibMainLoop.attachMainQueue(priority: 125)
    var arguments = CommandLine.arguments
    let measures = arguments.contains("--measure")
    arguments.removeAll { $0 == "--measure" }
    exit(Application(measures: measures).run(arguments))
  }
}
