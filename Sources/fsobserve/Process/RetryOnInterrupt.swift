import Glibc
import SystemPackage

/// Repeats a system call while signals interrupt it, and throws its `errno` if it returns -1.
func retryingOnInterrupt<Result: FixedWidthInteger>(_ body: () -> Result) throws(Errno) -> Result {
  while true {
    let result = body()
    if result != -1 { return result }
    let error = Errno(rawValue: errno)
    if error != .interrupted { throw error }
  }
}
