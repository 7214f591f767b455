internal import CLinux
import Glibc
package import SystemPackage

/// What a command line tool sets for its whole process, once, before anything else.
package enum ProcessSetup {
  /// From now on writing to a closed pipe is the error `EPIPE`, not the death of the process.
  package static func ignoreBrokenPipe() {
    _ = clinux_ignore_broken_pipe()
  }

  /// Lets the process open as many files as it may: a walk down a deep tree holds one descriptor a level.
  package static func raiseDescriptorLimit() {
    // Where it fails, the limit is what it was.
    _ = clinux_raise_descriptor_limit()
  }

  /// Whoever reads what the process writes sees the end of it when the process ends, even if a call of a mount that does not answer is left
  /// behind (see `Isolation`).
  package static func closeStreamsAtExit() {
    atexit {
      guard Isolation.isAnyLeft else { return }
      fflush(nil)
      for stream in 0...2 as ClosedRange<CInt> { _ = close(stream) }
    }
  }

  /// What has been freed goes back to the system at once, where it is worth it (mallopt(3)).
  ///
  /// Unless told, malloc takes ever larger blocks out of its own heaps once such a block has been freed, and keeps those for good: a backlog
  /// of events would leave a process that runs for months as large as its worst moment.
  package static func returnFreedMemory() {
    clinux_return_freed_memory()
  }

  /// The arguments as the kernel gave them, the program's own name not among them.
  ///
  /// Not necessarily UTF-8.
  package static var arguments: [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      guard let start = unsafe CommandLine.unsafeArgv[index] else { return nil }
      return unsafe bytes(of: start)
    }
  }

  /// `getcwd(3)`; none where the directory was removed.
  package static var workingDirectory: FilePath? {
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe FilePath(platformString: path)
  }

  private static func bytes(of start: UnsafePointer<CChar>) -> [UInt8] {
    var bytes: [UInt8] = []
    var position = unsafe start
    while unsafe position.pointee != 0 {
      unsafe bytes.append(UInt8(bitPattern: position.pointee))
      unsafe position += 1
    }
    return bytes
  }
}
