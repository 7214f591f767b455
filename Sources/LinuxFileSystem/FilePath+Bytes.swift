package import SystemPackage

extension FilePath {
  /// A path of raw bytes, which need not be UTF-8.
  ///
  /// Bytes from a NUL on are left out.
  package init(bytes: some Collection<UInt8>) {
    var terminated = bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) }
    terminated.append(0)
    self = unsafe terminated.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return FilePath() }
      return unsafe FilePath(platformString: start)
    }
  }

  /// The bytes of the path as they stand on disk.
  package var bytes: [UInt8] {
    unsafe withPlatformString { start in
      unsafe UnsafeBufferPointer(start: start, count: length).map { UInt8(bitPattern: $0) }
    }
  }
}
