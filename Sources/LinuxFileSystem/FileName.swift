/// One name in a directory: any bytes but `/` and NUL, as Linux has them.
///
/// Not necessarily UTF-8.
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

  /// Copies the bytes of a slice, which need not be walked one by one.
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

  /// Copies what a view shows.
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

  /// Whether the name begins with a dot.
  package var isHidden: Bool { storage[0] == UInt8(ascii: ".") }

  /// The name as text, repaired where it is not UTF-8.
  package var description: String { String(decoding: storage.dropLast(), as: UTF8.self) }

  /// Hashes the bytes in one go: an array hashes them one by one.
  package func hash(into hasher: inout Hasher) {
    unsafe storage.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  /// Gives the name to a system call.
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

/// A name that is borrowed from a buffer, followed by a NUL; valid only within the call that gives it.
///
/// The scan passes millions of names; none of them is copied or allocated.
@safe
package struct NameView {
  private let start: UnsafePointer<UInt8>
  /// The number of bytes, without the NUL.
  package let count: Int

  /// Borrows `count` bytes at `start`, which a NUL must follow.
  @unsafe
  package init(start: UnsafePointer<UInt8>, count: Int) {
    unsafe self.start = unsafe start
    self.count = count
  }

  /// Borrows the bytes of a C string that are before its NUL.
  @unsafe
  init(_ cString: UnsafePointer<CChar>, count: Int) {
    unsafe self.init(start: UnsafeRawPointer(cString).assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// The bytes of the name.
  package var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: start, count: count) }

  /// The bytes, borrowed.
  package var span: Span<UInt8> {
    @_lifetime(borrow self) get {
      let span = unsafe Span(_unsafeStart: start, count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The name for a C function.
  package var cString: UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
  }

  /// Whether the name begins with a dot.
  package var isHidden: Bool { unsafe count > 0 && start[0] == UInt8(ascii: ".") }
}
