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

func write(_ text: String, to path: FilePath) {
  guard let file = fopen(path.string, "w") else { fail("cannot open \(path)") }
  check(fputs(text, file) >= 0 && fclose(file) == 0, "cannot write \(path)")
}

func rename(_ path: FilePath, to newPath: FilePath) {
  check(rename(path.string, newPath.string) == 0, "cannot rename \(path)")
}

func remove(_ path: FilePath) {
  check(unlink(path.string) == 0, "cannot remove \(path)")
}
