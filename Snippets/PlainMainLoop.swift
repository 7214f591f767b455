// A main loop of a program's own, which waits for standard input and for what an observer announces.
//
//     swift run PlainMainLoop /home/me/Documents

import FileSystemObservation
import Glibc

@main struct PlainMainLoop {
  // snippet.loop
  static func main() throws {
    let observer = FileSystemObserver(
      directory: FilePath(CommandLine.arguments.dropFirst().first ?? "/home/me/Documents"))
    let queue = try observer.makeEventQueue()
    try observer.start()
    var sources = [
      pollfd(fd: queue.fileDescriptor, events: CShort(POLLIN), revents: 0),
      pollfd(fd: STDIN_FILENO, events: CShort(POLLIN), revents: 0),
    ]
    print("Press Return to end.")
    while sources[1].revents == 0 {
      guard poll(&sources, nfds_t(sources.count), -1) > 0 else { continue }
      if sources[0].revents != 0 { take(from: queue) }
    }
    observer.stop()
  }
  // snippet.end

  // snippet.take
  /// The slot of a `QSocketNotifier`, the callback of `g_unix_fd_add` or of `uv_poll_start`: takes what waits.
  static func take(from queue: FileSystemObserver.EventQueue) {
    queue.drain(atMost: 100) { event in
      switch event {
      case .reset(let tree, _): for item in tree { print("there is \(item.path)") }
      case .didChange(let changes): for change in changes { print(change) }
      default: break
      }
    }
  }
  // snippet.end
}
