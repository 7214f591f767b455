package import SystemPackage

extension FilePath {
  /// A path of raw bytes, which need not be UTF-8.
  ///
  /// A NUL ends the path.
  package init(bytes: some Collection<UInt8>) {
    self = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
      unsafe Self.path(terminating: buffer, after: unsafe buffer.fill(from: 0, with: bytes))
    }
  }

  /// The path with bytes appended as further components, which need not be UTF-8.
  ///
  /// Written into one buffer: joining components costs ten times as much.
  package func appending(bytes: some Collection<UInt8>) -> FilePath {
    guard !bytes.isEmpty else { return self }
    return unsafe withPlatformString { start in
      let own = unsafe UnsafeBufferPointer(start: start, count: length)
      return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: own.count + 1 + bytes.count + 1) { buffer in
        var end = unsafe buffer.update(fromContentsOf: own)
        if let last = unsafe own.last, last != CChar(UInt8(ascii: "/")) {
          unsafe buffer[end] = CChar(UInt8(ascii: "/"))
          end += 1
        }
        return unsafe Self.path(terminating: buffer, after: unsafe buffer.fill(from: end, with: bytes))
      }
    }
  }

  private static func path(terminating buffer: UnsafeMutableBufferPointer<CChar>, after count: Int) -> FilePath {
    unsafe buffer[count] = 0
    guard let start = buffer.baseAddress else { return FilePath() }
    return unsafe FilePath(platformString: start)
  }

  /// The bytes of the path on disk.
  package var bytes: [UInt8] {
    unsafe withPlatformString { start in
      unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
    }
  }
}

extension UnsafeMutableBufferPointer<CChar> {
  /// Writes bytes from an index on, and returns the index after the last.
  ///
  /// The buffer must have room.
  fileprivate func fill(from index: Int, with bytes: some Collection<UInt8>) -> Int {
    let copied: Void? = bytes.withContiguousStorageIfAvailable { storage in
      unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(self)[index...]).copyMemory(
        from: UnsafeRawBufferPointer(storage))
    }
    if copied != nil { return index + bytes.count }
    var next = index
    for byte in bytes {
      unsafe self[next] = CChar(bitPattern: byte)
      next += 1
    }
    return next
  }
}
