import Glibc
package import SystemPackage

extension OwnedDescriptor {
  private static var largestPart: Int { 1 << 22 }

  /// Reads a range of a regular file, part by part.
  ///
  /// - Parameters:
  ///   - range: The range, in bytes.
  ///   - partSize: The number of bytes that are read at once.
  ///   - body: Called with each part, in order; the memory is valid during the call. `false` ends the reading.
  /// - Returns: The position that was reached: before the end of the range if the file ends there, or `body` ended the
  ///   reading.
  package borrowing func forEachPart(
    of range: Range<Int64>, size partSize: Int, _ body: (UnsafeRawBufferPointer) throws(Errno) -> Bool
  ) throws(Errno) -> Int64 {
    guard !range.isEmpty else { return range.lowerBound }
    let number = number
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(min(Int64(partSize), Int64(range.count))), alignment: 4096)
    defer { unsafe buffer.deallocate() }
    var position = range.lowerBound
    while position < range.upperBound {
      let (wanted, offset) = (Int(min(Int64(buffer.count), range.upperBound - position)), Int(position))
      let count = try retryingOnInterrupt { unsafe Glibc.pread(number, buffer.baseAddress, wanted, offset) }
      if count == 0 { break }
      position += Int64(count)
      guard unsafe try body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { break }
    }
    return position
  }

  /// All bytes of a regular file, from the first to the last.
  ///
  /// Blocks until they are read. The size is that of the beginning: what is appended meanwhile is not read.
  ///
  /// - Parameters:
  ///   - size: The size, in bytes.
  ///   - append: Called with each part, in order; the memory is valid during the call.
  /// - Returns: Whether there were as many bytes.
  package borrowing func readContent(
    ofSize size: Int64, _ append: (UnsafeRawBufferPointer) -> Void
  ) throws(Errno) -> Bool {
    let end = unsafe try forEachPart(of: 0..<max(0, size), size: Self.largestPart) { (part) throws(Errno) in
      unsafe append(part)
      return true
    }
    return end >= size
  }
}
