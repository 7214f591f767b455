import FileSystemObservation
import GLib

/// Takes events in a GLib main loop.
@MainActor final class Listener {
  private let queue: FileSystemObserver.EventQueue
  private let take: @MainActor (FileSystemObserver.Event) -> Void

  init(_ queue: FileSystemObserver.EventQueue, take: @escaping @MainActor (FileSystemObserver.Event) -> Void) {
    self.queue = queue
    self.take = take
  }

  /// Has the default context call the listener whenever the descriptor is readable.
  ///
  /// - Returns: The source; remove it before the listener is let go of.
  func listen() -> guint {
    g_unix_fd_add(queue.fileDescriptor, G_IO_IN, isReadable, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Takes a hundred events at most: what GTK draws has its turn in between.
  ///
  /// While more wait, the descriptor stays readable.
  fileprivate func drain() { queue.drain(atMost: 100, take) }
}

/// What GLib calls; it goes on as long as this is not 0.
private let isReadable: GUnixFDSourceFunc = { _, _, pointer in
  guard let pointer else { return 0 }
  let listener = Unmanaged<Listener>.fromOpaque(pointer).takeUnretainedValue()
  MainActor.assumeIsolated { listener.drain() }
  return 1
}
