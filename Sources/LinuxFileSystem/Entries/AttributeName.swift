/// The name of an extended attribute, with its NUL.
package struct AttributeName: Hashable, Sendable {
  /// The name as text, for instance `user.fsobserver.uuid`.
  package let string: String
  private let storage: ContiguousArray<CChar>

  package init(_ string: String) {
    self.string = string
    storage = ContiguousArray(string.utf8CString)
  }

  /// A name without a NUL, which need not be UTF-8.
  init(bytes: [UInt8]) {
    string = String(decoding: bytes, as: UTF8.self)
    storage = ContiguousArray(bytes.map { CChar(bitPattern: $0) } + [0])
  }

  func withCString<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try storage.withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in
      guard let start = buffer.baseAddress else { preconditionFailure("a name always has its NUL") }
      return unsafe try body(start)
    }
  }
}
