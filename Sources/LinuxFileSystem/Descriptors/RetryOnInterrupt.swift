import Glibc
package import SystemPackage

/// Calls a system call until it is not interrupted by a signal, and turns `-1` into the `Errno` it left.
///
/// This is the one EINTR loop of the package. `close(2)` must not go through it: on Linux the descriptor is gone
/// even when the call says EINTR.
@inline(__always)
package func retryingOnInterrupt<Result: FixedWidthInteger>(
  _ body: () -> Result
) throws(Errno) -> Result {
  while true {
    let result = body()
    if result != -1 { return result }
    let error = Errno(rawValue: errno)
    if error != .interrupted { throw error }
  }
}
