import SystemPackage

extension FilePath {
  /// A path of raw bytes, which need not be UTF-8.
  ///
  /// Bytes from a NUL on are left out.
  init(bytes: some Collection<UInt8>) {
    let characters = bytes.map { CChar(bitPattern: $0) } + [0]
    self = unsafe characters.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return FilePath() }
      return unsafe FilePath(platformString: start)
    }
  }

  /// The bytes of the path as they stand on disk.
  var bytes: [UInt8] {
    unsafe withPlatformString { start in
      unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
    }
  }
}
