import FileSystemObservation
import Glibc

/// A table in a loop of the program's own: nothing runs on another thread, and no actor is needed.
nonisolated func followByPolling(_ observer: FileSystemObserver) throws {
  let path = observer.directory.appending("drafts")
  guard let list = observer.itemList(forDirectoryAt: path, isolation: nil) else { fail("there is no list of \(path)") }
  let operation = try observer.createFile(at: path.appending("draft.txt"))
  var names: [String] = []
  while names != ["draft.txt"] {
    wait(for: list.fileDescriptor)
    if list.update() != nil { names = list.map(\.name) }
  }
  // A list follows its folder.
  try observer.renameItem(at: path, to: "letters")
  wait(for: list.fileDescriptor)
  check(list.update()?.folderEvent == .moved, "the list has not followed its folder")
  check(list.first?.uuid == operation.uuid && list.folder?.name == "letters", "the list is of another folder")
}

private func wait(for descriptor: CInt) {
  var entries = [pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)]
  while poll(&entries, nfds_t(entries.count), -1) < 0 {
    check(errno == EINTR, "poll: \(errno)")
  }
}
