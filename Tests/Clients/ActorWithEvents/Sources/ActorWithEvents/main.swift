// A program whose model is an actor that follows the events of an observer.
//
//     swift run ActorWithEvents FOLDER

import FileSystemObservation

guard let argument = CommandLine.arguments.dropFirst().first else { fail("usage: ActorWithEvents FOLDER") }
let folder = FilePath(argument)
let observer = FileSystemObserver(directory: folder)
let library = Library(observer)

try makeProject(in: folder)
await library.follow()
try await observer.start()
await checkModel("the first scan")

// While the task is cancelled, nobody listens; what happened then is in the state with which the next sequence begins.
try changeNames(in: folder)
await library.pause()
try saveAndRemove(in: folder)
await library.follow()
try addAndCopy(in: folder)
await checkModel("the task was begun again")

// An observer that is stopped ends the sequence; the next start is another sequence's.
await observer.stop()
await library.ended()
try await checkTags()
try removeFolder(in: folder)
await library.follow()
try await observer.start()
await checkModel("the observer was started again")
await library.pause()

/// Waits until the model has what is on disk.
func checkModel(_ occasion: String) async {
  let disk = Disk.sizes(in: folder)
  print("waiting for \(disk.count) items after \(occasion)")
  await library.wait { tree in
    tree.allSatisfy(\.isComplete) && disk == Dictionary(uniqueKeysWithValues: tree.map { ($0.relativePath, $0.size) })
  }
  let (tree, paths) = await (library.tree, library.paths)
  for item in tree {
    check(paths[item.uuid] == item.relativePath, "by hand \(item) is at \(String(describing: paths[item.uuid]))")
  }
  check(paths.count == disk.count, "by hand there are \(paths.count) items, on disk \(disk.count)")
  check(tree == FileSystemTree(observer.snapshot()), "the model and the observer's snapshot differ")
}

/// Compares every UUID with the tag on disk; while an observer runs, it may be about to write some.
func checkTags() async throws {
  let identity = try FileSystemIdentity()
  for item in await library.tree {
    let onDisk = try identity.uuid(ofItemAt: item.path)
    check(onDisk.uuid == item.uuid && onDisk.kind == .tag, "\(item.path) bears \(onDisk), not \(item.uuid)")
  }
}
