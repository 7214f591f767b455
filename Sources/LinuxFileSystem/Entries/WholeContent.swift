import Glibc
package import SystemPackage

extension OwnedDescriptor {
  private static var largestPart: Int { 1 << 22 }

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
    let number = number
    let partSize = Int(min(max(size, 1), Int64(Self.largestPart)))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: partSize, alignment: 16)
    defer { unsafe buffer.deallocate() }
    var position: Int64 = 0
    while position < size {
      let wanted = Int(min(Int64(partSize), size - position))
      let offset = Int(position)
      let count = try retryingOnInterrupt { unsafe Glibc.pread(number, buffer.baseAddress, wanted, offset) }
      if count == 0 { return false }
      unsafe append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      position += Int64(count)
    }
    return true
  }
}
