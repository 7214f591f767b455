import Glibc

@testable import FileSystemObservation

/// Whether a descriptor is readable now.
func isReadable(_ descriptor: CInt) -> Bool {
  var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return unsafe poll(&wanted, 1, 0) == 1
}

extension FileSystemObserver {
  /// Drops what a list has not taken yet, as when it falls behind.
  func loseEvents(of list: FileSystemItemList) { list.feed.begin(list.model.scope) }
}
