import Glibc

/// A name in a directory: any bytes except `/` and NUL, not necessarily UTF-8.
package struct FileName: Hashable, Sendable {
  /// The bytes with the NUL that ends them.
  private let storage: [UInt8]

  /// Copies the bytes of a name.
  package init(bytes: some Collection<UInt8>) {
    var storage: [UInt8] = []
    storage.reserveCapacity(bytes.count + 1)
    storage.append(contentsOf: bytes)
    storage.append(0)
    self.storage = storage
  }

  /// Copies borrowed bytes.
  package init(_ bytes: Span<UInt8>) {
    // `Array(unsafeUninitializedCapacity:)` is not specialized, and asks the runtime for the type each time.
    var storage: [UInt8] = []
    storage.reserveCapacity(bytes.count + 1)
    unsafe bytes.withUnsafeBufferPointer { unsafe storage.append(contentsOf: $0) }
    storage.append(0)
    self.storage = storage
  }

  /// Copies the bytes of a slice as a whole.
  package init(bytes: ArraySlice<UInt8>) {
    self.init(bytes.span)
  }

  /// Copies the bytes of a buffer.
  package init(bytes: UnsafeBufferPointer<UInt8>) {
    unsafe self.init(Span(_unsafeElements: bytes))
  }

  /// The UTF-8 bytes of a string.
  package init(_ string: String) {
    self.init(bytes: string.utf8)
  }

  /// Copies the name of a view.
  package init(_ view: NameView) {
    self.init(view.span)
  }

  /// The number of bytes in the name.
  package var count: Int { storage.count - 1 }

  /// The bytes of the name.
  package var bytes: ArraySlice<UInt8> { storage.dropLast() }

  /// The bytes, borrowed.
  package var span: Span<UInt8> {
    @_lifetime(borrow self) get { storage.span.extracting(droppingLast: 1) }
  }

  /// Whether these are the bytes of the name.
  package func consists(of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe bytes.count == count && isEqual(bytes)
  }

  /// Compares the bytes in one go: arrays compare them one by one.
  package static func == (one: FileName, other: FileName) -> Bool {
    guard one.storage.count == other.storage.count else { return false }
    return unsafe other.storage.withUnsafeBufferPointer { unsafe one.isEqual($0) }
  }

  /// Compares with as many bytes, at most one more than the name has.
  @inline(__always)
  private func isEqual(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe storage.withUnsafeBufferPointer { own in
      // A buffer without an address has no bytes.
      guard let own = own.baseAddress, let other = bytes.baseAddress else { return true }
      return unsafe memcmp(own, other, bytes.count) == 0
    }
  }

  /// Whether the name begins with a dot.
  package var isHidden: Bool { storage[0] == UInt8(ascii: ".") }

  /// The name as text, with replacements for invalid UTF-8.
  package var description: String { String(decoding: storage.dropLast(), as: UTF8.self) }

  /// Hashes the bytes in one go: an array hashes them one by one.
  package func hash(into hasher: inout Hasher) {
    unsafe storage.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  /// Passes the name to a system call.
  package func withView<Result: ~Copyable, Failure: Error>(
    _ body: (NameView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe storage.span.withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in
      guard let start = buffer.baseAddress else { preconditionFailure("a name always has its NUL") }
      return try unsafe body(NameView(start: start, count: buffer.count - 1))
    }
  }
}

extension FileName: CustomStringConvertible {}
