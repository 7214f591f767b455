internal import CLinux
internal import SystemPackage

extension NativeThread {
  /// Gives the calling thread only what others leave of processors and disks.
  ///
  /// Where the kernel refuses, the thread goes on as before.
  package static func yieldToOthers() { _ = try? retryingOnInterrupt { clinux_yield_to_others() } }
}
