// A program of GTK, or of GLib alone: its main loop runs the main actor too.
//
//     swift run MainLoopOfGTK /home/me/Documents

import CGLib
import FileSystemObservation
import ObservationGLib

@main struct MainLoopOfGTK {
  // snippet.gtk
  @MainActor static func main() throws {
    let observer = FileSystemObserver(
      directory: FilePath(CommandLine.arguments.dropFirst().first ?? "/home/me/Documents"))
    let attachment = GLibMainLoop.attachMainQueue()
    let token = observer.addNotificationBlock(on: MainActor.shared) { _, event in
      if case .didChange(let changes) = event {
        for change in changes { print(change) }
      }
    }
    try observer.start()
    let loop = g_main_loop_new(nil, 0)
    g_main_loop_run(loop)  // in an app of GTK: g_application_run()
    withExtendedLifetime((attachment, token)) { observer.stop() }
  }
  // snippet.end
}
