import FileSystemObservation
import Glibc

/// Ends the program because something is not as it should be.
func fail(_ message: String) -> Never {
  print("wrong:", message)
  exit(EXIT_FAILURE)
}

func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
  if !isTrue { fail(message()) }
}

func makeFolder(_ path: FilePath) { check(mkdir(path.string, 0o755) == 0, "cannot make \(path)") }

func write(_ text: String, to path: FilePath) {
  guard let file = fopen(path.string, "w") else { fail("cannot open \(path)") }
  check(fputs(text, file) >= 0 && fclose(file) == 0, "cannot write \(path)")
}

func rename(_ path: FilePath, to newPath: FilePath) {
  check(rename(path.string, newPath.string) == 0, "cannot rename \(path)")
}

/// What is on disk, by the system's own calls.
enum Disk {
  /// The names in a folder that are not hidden.
  static func names(in folder: FilePath) -> Set<String> {
    guard let stream = opendir(folder.string) else { fail("cannot list \(folder)") }
    defer { closedir(stream) }
    var names: Set<String> = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.insert(name) }
    }
    return names
  }
}
