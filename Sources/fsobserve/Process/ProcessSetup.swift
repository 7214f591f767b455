import CTool
import Glibc
import SystemPackage

/// What the tool sets for its whole process, once, before anything else.
enum ProcessSetup {
  /// From now on writing to a closed pipe is the error `EPIPE`, not the death of the process.
  static func ignoreBrokenPipe() {
    _ = ctool_ignore_broken_pipe()
  }

  /// Lets the process open as many files as it may: a walk down a deep tree holds one descriptor a level.
  static func raiseDescriptorLimit() {
    // Where it fails, the limit is what it was.
    _ = ctool_raise_descriptor_limit()
  }

  /// Whoever reads what the process writes sees the end of it when the process ends.
  ///
  /// The library may leave a call behind of a mount that does not answer: in a process that has the same files open.
  static func closeStreamsAtExit() {
    atexit {
      guard ctool_has_children() == 1 else { return }
      fflush(nil)
      for stream in 0...2 as ClosedRange<CInt> { _ = close(stream) }
    }
  }

  /// What has been freed goes back to the system at once, where it is worth it (mallopt(3)).
  ///
  /// Unless told, malloc takes ever larger blocks out of its own heaps once such a block has been freed, and keeps
  /// those for good: a backlog of events would leave a process that runs for months as large as its worst moment.
  static func returnFreedMemory() {
    ctool_return_freed_memory()
  }

  /// The arguments as the kernel gave them, the program's own name not among them.
  ///
  /// Not necessarily UTF-8.
  static var arguments: [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      guard let start = unsafe CommandLine.unsafeArgv[index] else { return nil }
      return unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
    }
  }

  /// `getcwd(3)`; none where the directory was removed.
  static var workingDirectory: FilePath? {
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe FilePath(platformString: path)
  }

  /// `getenv(3)`.
  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
