import CTool
import Glibc
import SystemPackage

/// Settings of the whole process, made once at the start.
enum ProcessSetup {
  /// Makes writing to a closed pipe fail with `EPIPE` instead of ending the process.
  static func ignoreBrokenPipe() {
    _ = ctool_ignore_broken_pipe()
  }

  /// Raises the limit of open files: a walk down a deep tree holds one descriptor a level.
  static func raiseDescriptorLimit() {
    // If that fails, the limit stays as it was.
    _ = ctool_raise_descriptor_limit()
  }

  /// Makes readers of the output see its end when the process ends.
  ///
  /// The library may leave a call behind that waits for a mount: in a child process that has the same files open.
  static func closeStreamsAtExit() {
    atexit {
      guard ctool_has_children() == 1 else { return }
      fflush(nil)
      for stream in 0...2 as ClosedRange<CInt> { _ = close(stream) }
    }
  }

  /// Returns freed memory to the system at once, if that is worth it (mallopt(3)).
  ///
  /// By default, malloc puts ever larger blocks into its heaps once such a block has been freed, and keeps those for
  /// good: after a backlog of events, a process that runs for months would stay as large as at its worst moment.
  static func returnFreedMemory() {
    ctool_return_freed_memory()
  }

  /// The arguments from the kernel, without the name of the program.
  ///
  /// They need not be UTF-8.
  static var arguments: [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      guard let start = unsafe CommandLine.unsafeArgv[index] else { return nil }
      return unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
    }
  }

  /// `getcwd(3)`; `nil` if the directory was removed.
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
