import Glibc
internal import SystemPackage

/// The path `/proc/self/fd/N` or `/proc/self/fd/N/name` of an open file or an entry of it.
///
/// It is built on the stack: without the `*at` calls for attributes, the scan builds one for each file.
enum ProcessPath {
  private static let prefix: StaticString = "/proc/self/fd/"
  /// The prefix, ten digits, a slash, and the NUL.
  private static let roomBesidesName = 32

  /// Passes the path of an open descriptor to a system call.
  static func with<Result>(
    descriptor: CInt, _ body: (UnsafePointer<CChar>) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    unsafe try build(descriptor, name: nil, body)
  }

  /// Passes the path of a name in an open directory to a system call.
  static func with<Result>(
    descriptor: CInt, name: NameView, _ body: (UnsafePointer<CChar>) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    unsafe try build(descriptor, name: name, body)
  }

  private static func build<Result>(
    _ descriptor: CInt, name: NameView?, _ body: (UnsafePointer<CChar>) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    let capacity = roomBesidesName + (name?.count ?? 0)
    return unsafe try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) {
      (buffer) throws(Errno) -> Result in
      guard let start = buffer.baseAddress else { throw .noMemory }
      var end = unsafe start
      unsafe append(UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount), at: &end)
      unsafe appendDigits(of: descriptor, at: &end)
      if let name {
        unsafe end.initialize(to: UInt8(ascii: "/"))
        unsafe end += 1
        unsafe append(name.bytes, at: &end)
      }
      unsafe end.initialize(to: 0)
      return unsafe try body(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
    }
  }

  private static func append(_ bytes: UnsafeBufferPointer<UInt8>, at end: inout UnsafeMutablePointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    unsafe end.initialize(from: start, count: bytes.count)
    unsafe end += bytes.count
  }

  private static func appendDigits(of number: CInt, at end: inout UnsafeMutablePointer<UInt8>) {
    var divisor: CInt = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      unsafe end.initialize(to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      unsafe end += 1
      divisor /= 10
    }
  }
}
