#if Store
internal import CCrypto
internal import FileSystemObservation

/// Digests by SHA-256, made by libcrypto: it uses what the processor has for that.
struct SHA256Digests: ContentDigesting {
  func begin() -> (any RunningDigest)? { RunningSHA256() }
}

/// An `EVP_MD_CTX`.
@safe
private final class RunningSHA256: RunningDigest {
  private let context: OpaquePointer

  /// - Returns: `nil` if there is no memory, or libcrypto must not use SHA-256.
  init?() {
    guard let context = unsafe EVP_MD_CTX_new() else { return nil }
    unsafe self.context = context
    guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { return nil }
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
  }

  func finish() -> ContentDigest? {
    var bytes = [UInt8](repeating: 0, count: ContentDigest.size)
    var count: CUnsignedInt = 0
    guard unsafe EVP_DigestFinal_ex(context, &bytes, &count) == 1, count == CUnsignedInt(bytes.count) else {
      return nil
    }
    return ContentDigest(bytes: bytes)
  }
}
#endif
