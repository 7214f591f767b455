import FileSystemObservation
import Glibc
import SystemPackage

let folderCount = 100
let fileCount = 10_000

/// Ends the program because something is not as it should be.
func fail(_ message: String) -> Never {
  print("wrong:", message)
  exit(EXIT_FAILURE)
}

func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
  if !isTrue { fail(message()) }
}

/// A hundred folders with a hundred files each, in the folder that is named on the command line.
func makeFiles() throws -> FilePath {
  guard let argument = CommandLine.arguments.dropFirst().first else { fail("usage: OneDocument FOLDER") }
  let folder = FilePath(argument)
  for number in 1...folderCount {
    let directory = folder.appending("\(number)")
    guard mkdir(directory.string, 0o755) == 0 else { throw Errno(rawValue: errno) }
    for file in 1...fileCount / folderCount { try write("", to: directory.appending("\(file).txt")) }
  }
  return folder
}

func write(_ text: String, to path: FilePath) throws {
  let file = try FileDescriptor.open(
    path, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite, .groupRead, .otherRead])
  _ = try file.closeAfter { try file.writeAll(text.utf8) }
}

/// Saves as most editors do: another file takes the name.
func replace(_ path: FilePath, with text: String) throws {
  let draft = FilePath(path.string + ".tmp")
  try write(text, to: draft)
  try rename(draft, to: path)
}

func rename(_ path: FilePath, to newPath: FilePath) throws {
  guard Glibc.rename(path.string, newPath.string) == 0 else { throw Errno(rawValue: errno) }
}

func remove(_ path: FilePath) throws {
  guard unlink(path.string) == 0 else { throw Errno(rawValue: errno) }
}
