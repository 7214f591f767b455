// A program that is told of changes by blocks on a queue of its own.
//
//     swift run BlocksOnAQueue FOLDER

import Dispatch
import FileSystemObservation

guard let folder = CommandLine.arguments.dropFirst().first else { fail("usage: BlocksOnAQueue FOLDER") }
let letter = FilePath(folder).appending("letter.txt")
let renamed = FilePath(folder).appending("to Ada.txt")
write("Dear Ada", to: letter)

// All blocks run on this queue, one at a time.
let queue = DispatchQueue(label: "documents")
let observer = FileSystemObserver(directory: FilePath(folder))

// A token keeps its block registered; a set keeps the tokens.
let inbox = Inbox()
var tokens: Set<NotificationToken> = []
observer.addNotificationBlock(on: queue) { _, event in inbox.put(event) }.store(in: &tokens)
try observer.start()
inbox.awaitScan()

guard let uuid = observer[letter]?.uuid else { fail("the scan has not found \(letter)") }
print("\(letter) has the UUID \(uuid)")

// A window needs no token: its block ends with it. It begins with the state, and so knows the path.
var window: Window? = Window(of: uuid)
if let window {
  observer.observe(window, on: queue, startingWith: .snapshot) { window, event in window.take(event) }
}

// Whatever happens to the letter is told with its UUID.
rename(letter, to: renamed)
inbox.await(.renamed, of: uuid, at: renamed)
write("Dear Ada, how are you?", to: renamed)
inbox.await(.modified, of: uuid, at: renamed)
let draft = FilePath(folder).appending("letter.txt.tmp")
write("Dear Ada, I am fine.", to: draft)
rename(draft, to: renamed)
inbox.await(.modified, of: uuid, at: renamed)

// The window is closed: it is told nothing any more, and nothing keeps it.
queue.sync {}
check(window?.path == renamed, "the window shows \(String(describing: window?.path))")
weak let closed = window
window = nil
queue.sync {}
check(closed == nil, "the block keeps its owner")

remove(renamed)
inbox.await(.deleted, of: uuid, at: renamed)

// Without its token the first block hears nothing any more; another one does.
let other = Inbox()
let token = observer.addNotificationBlock(on: queue) { _, event in other.put(event) }
tokens.removeAll()
queue.sync {}
let before = inbox.count
let last = FilePath(folder).appending("last.txt")
write("Goodbye", to: last)
other.await(.discovered, of: nil, at: last)
queue.sync {}
check(inbox.count == before, "a block is called after its token is gone")
token.invalidate()
observer.stop()
