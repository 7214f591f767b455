// A program with a GLib main loop, as one with GTK has it.
//
//     swift run GLibMainLoop FOLDER

import FileSystemObservation
import GLib
import Glibc
import ObservationGLib

guard let folder = CommandLine.arguments.dropFirst().first else { fail("usage: GLibMainLoop FOLDER") }
let mainThread = pthread_self()
let loop = g_main_loop_new(nil, 0)
let observer = FileSystemObserver(directory: FilePath(folder))
// The loop ends when the letter has been deleted.
let letter = Letter(in: FilePath(folder)) { g_main_loop_quit(loop) }

print("in a block on the main actor")
try tellOnMainActor()
print("by the descriptor")
try tellByDescriptor()
print("in a list")
try followList()
g_main_loop_unref(loop)

/// GLib's loop runs what is meant for the main actor.
@MainActor func tellOnMainActor() throws {
  let attachment = GLibMainLoop.attachMainQueue()
  let token = observer.addNotificationBlock(on: MainActor.shared) { observer, event in
    check(pthread_equal(pthread_self(), mainThread) != 0, "a block runs on another thread")
    letter.take(event, of: observer)
  }
  try observer.start()
  g_main_loop_run(loop)
  observer.stop()
  token.invalidate()
  attachment.detach()
}

/// GLib's loop looks at the descriptor; nothing runs on another thread, and `ObservationGLib` is not needed.
@MainActor func tellByDescriptor() throws {
  let queue = try observer.makeEventQueue(startingWith: .now)
  let listener = Listener(queue) { event in letter.take(event, of: observer) }
  let source = listener.listen()
  try observer.start()
  g_main_loop_run(loop)
  observer.stop()
  g_source_remove(source)
}

/// A list updates itself in GLib's loop, as one of a table of GTK.
@MainActor func followList() throws {
  let attachment = GLibMainLoop.attachMainQueue()
  try observer.start()
  guard let list = observer.itemList() else { fail("there is no list of \(folder)") }
  let note = FilePath(folder).appending("note.txt")
  write("Dear Ada", to: note)
  let token = list.addNotificationBlock { list, changes in
    print("\(list): \(changes)")
    check(pthread_equal(pthread_self(), mainThread) != 0, "a block runs on another thread")
    if list.contains(where: { $0.path == note && !$0.isCopying }) { g_main_loop_quit(loop) }
  }
  g_main_loop_run(loop)
  check(list.contains { $0.path == note }, "the list has \(list.map(\.name))")
  token.invalidate()
  observer.stop()
  attachment.detach()
}
