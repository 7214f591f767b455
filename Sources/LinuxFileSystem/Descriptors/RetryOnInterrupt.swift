import Glibc
package import SystemPackage

/// Repeats a system call while a signal interrupts it, and turns `-1` into the `Errno`.
///
/// This is the only EINTR loop of the package. Do not use it for `close(2)`: on Linux the descriptor is gone even after
/// EINTR.
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
