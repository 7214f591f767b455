import SystemPackage

extension FilePath {
  /// A path of raw bytes, which need not be UTF-8.
  ///
  /// It ends before the first NUL.
  init(bytes: some Collection<UInt8>) {
    let characters = bytes.map { CChar(bitPattern: $0) } + [0]
    self = unsafe characters.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return FilePath() }
      return unsafe FilePath(platformString: start)
    }
  }

  /// The bytes of the path as on disk.
  var bytes: [UInt8] {
    unsafe withPlatformString { start in
      unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
    }
  }

  /// Appends the bytes of the path as on disk.
  func appendBytes(to bytes: inout [UInt8]) {
    unsafe withPlatformString { start in
      unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: length))
    }
  }

  /// Appends the path if all its bytes are plain ASCII characters; whether it did.
  func appendIfPlain(to bytes: inout [UInt8], where isPlain: (UInt8) -> Bool) -> Bool {
    unsafe withPlatformString { start in
      let own = unsafe UnsafeRawBufferPointer(start: start, count: length)
      guard unsafe own.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") && isPlain($0) }) else {
        return false
      }
      unsafe bytes.append(contentsOf: own)
      return true
    }
  }
}
