// A program with a main loop of its own, which waits for a descriptor.
//
//     swift run PolledDescriptor FOLDER

import CEpoll
import FileSystemObservation
import Glibc

guard let folder = CommandLine.arguments.dropFirst().first else { fail("usage: PolledDescriptor FOLDER") }
for (name, wait) in [("poll", waitWithPoll), ("epoll", waitWithEpoll)] {
  print("with \(name)")
  let directory = FilePath(folder).appending(name)
  check(mkdir(directory.string, 0o755) == 0, "cannot make \(directory)")
  try follow(Letter(in: directory), in: directory, wait)
}

/// The main loop: waits until there is something to take, and takes it.
func follow(_ letter: Letter, in directory: FilePath, _ wait: (CInt) -> Void) throws {
  let observer = FileSystemObserver(directory: directory)
  let queue = try observer.makeEventQueue()
  try observer.start()
  while !letter.isDeleted {
    wait(queue.fileDescriptor)
    while let event = queue.next() { letter.take(event) }
  }
  observer.stop()
}

/// poll(2): a loop has more descriptors in its array.
func waitWithPoll(_ descriptor: CInt) {
  var entries = [pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)]
  while poll(&entries, nfds_t(entries.count), -1) < 0 {
    check(errno == EINTR, "poll: \(errno)")
  }
}

/// epoll(7): a loop makes the instance once, and adds each descriptor once.
func waitWithEpoll(_ descriptor: CInt) {
  let instance = epoll_create1(CInt(EPOLL_CLOEXEC))
  check(instance >= 0, "epoll_create1: \(errno)")
  defer { close(instance) }
  var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(fd: descriptor))
  check(epoll_ctl(instance, EPOLL_CTL_ADD, descriptor, &event) == 0, "epoll_ctl: \(errno)")
  while epoll_wait(instance, &event, 1, -1) < 0 {
    check(errno == EINTR, "epoll_wait: \(errno)")
  }
}
