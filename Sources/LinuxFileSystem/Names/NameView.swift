/// A name borrowed from a buffer, followed by a NUL, and valid only during the call that passes it.
///
/// The scan visits millions of names without copies or allocations.
@safe
package struct NameView {
  private let start: UnsafePointer<UInt8>
  /// The number of bytes, without the NUL.
  package let count: Int

  /// Borrows `count` bytes at `start`, followed by a NUL.
  @unsafe
  package init(start: UnsafePointer<UInt8>, count: Int) {
    unsafe self.start = unsafe start
    self.count = count
  }

  /// Borrows the bytes of a C string without its NUL.
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
