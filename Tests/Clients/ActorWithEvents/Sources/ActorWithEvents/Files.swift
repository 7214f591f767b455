import FileSystemObservation
import Glibc
import SystemPackage

/// Ends the program because something is not as it should be.
func fail(_ message: String) -> Never {
  print("wrong:", message)
  exit(EXIT_FAILURE)
}

func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
  if !isTrue { fail(message()) }
}

/// Ten chapters of twenty pages each.
func makeProject(in folder: FilePath) throws {
  for chapter in 1...10 {
    let chapter = folder.appending("chapter \(chapter)")
    try makeFolder(chapter)
    for page in 1...20 { try write("page \(page)", to: chapter.appending("\(page).txt")) }
  }
}

/// Folders and files get other names and places.
func changeNames(in folder: FilePath) throws {
  try makeFolder(folder.appending("part"))
  for chapter in 1...5 {
    try rename(folder.appending("chapter \(chapter)"), to: folder.appending("part/\(chapter)"))
    try rename(folder.appending("part/\(chapter)/1.txt"), to: folder.appending("chapter 10/from \(chapter).txt"))
  }
  try rename(folder.appending("part"), to: folder.appending("chapter 6/part"))
}

/// Files are replaced, and others go.
func saveAndRemove(in folder: FilePath) throws {
  for page in 1...10 {
    try write("another page \(page)", to: folder.appending("draft"))
    try rename(folder.appending("draft"), to: folder.appending("chapter 7/\(page).txt"))
    try remove(folder.appending("chapter 8/\(page).txt"))
  }
  try rename(folder.appending("chapter 6/part/3"), to: folder.appending("chapter 3"))
}

/// New files and a copy, in a folder that then moves.
func addAndCopy(in folder: FilePath) throws {
  for page in 21...30 { try write("page \(page)", to: folder.appending("chapter 9/\(page).txt")) }
  try observer.duplicateItem(
    at: folder.appending("chapter 9/1.txt"), to: folder.appending("chapter 9/copy.txt"))
  try rename(folder.appending("chapter 9"), to: folder.appending("chapter 3/9"))
}

/// A folder goes with all that is in it.
func removeFolder(in folder: FilePath) throws {
  for page in 11...20 { try remove(folder.appending("chapter 8/\(page).txt")) }
  guard rmdir(folder.appending("chapter 8").string) == 0 else { throw Errno(rawValue: errno) }
}

private func makeFolder(_ path: FilePath) throws {
  guard mkdir(path.string, 0o755) == 0 else { throw Errno(rawValue: errno) }
}

private func write(_ text: String, to path: FilePath) throws {
  let file = try FileDescriptor.open(
    path, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite, .groupRead, .otherRead])
  _ = try file.closeAfter { try file.writeAll(text.utf8) }
}

private func rename(_ path: FilePath, to newPath: FilePath) throws {
  guard Glibc.rename(path.string, newPath.string) == 0 else { throw Errno(rawValue: errno) }
}

private func remove(_ path: FilePath) throws {
  guard unlink(path.string) == 0 else { throw Errno(rawValue: errno) }
}
