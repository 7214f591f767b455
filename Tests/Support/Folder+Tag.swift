internal import CTestSystem
package import FoundationEssentials
package import SystemPackage

// Reading and writing tags independently of the library.

/// The documented name of the extended attribute that has the UUID.
package let tagName = "user.fsobserver.uuid"

extension Folder {
  /// The UUID in the tag of a file; `nil` if there is no tag.
  ///
  /// - Throws: EILSEQ if the value is not the 36 characters of a UUID.
  package func tag(_ name: String) throws(Errno) -> UUID? {
    guard let text = try attribute(tagName, of: name) else { return nil }
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { throw .illegalByteSequence }
    return uuid
  }

  /// The value of an extended attribute as text.
  package func attribute(_ attribute: String, of name: String) throws(Errno) -> String? {
    do {
      return try attributeValue(attribute, of: name)
    } catch {
      if error == .noData || error == .notSupported { return nil }
      throw error
    }
  }

  /// Whether the file system of a file supports tags.
  func takesTag(_ name: String) -> Bool {
    do {
      _ = try attributeValue(tagName, of: name)
      return true
    } catch {
      return error != .notSupported
    }
  }

  private func attributeValue(_ attribute: String, of name: String) throws(Errno) -> String {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = try check(
      unsafe buffer.withUnsafeMutableBytes {
        unsafe ctest_get_attribute(self[name], attribute, $0.baseAddress, $0.count)
      })
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  package func setTag(_ name: String, _ uuid: UUID) throws(Errno) {
    try setAttribute(tagName, of: name, to: uuid.uuidString.lowercased())
  }

  package func setAttribute(_ attribute: String, of name: String, to value: String) throws(Errno) {
    let bytes = Array(value.utf8)
    try check(
      unsafe bytes.withUnsafeBytes { unsafe ctest_set_attribute(self[name], attribute, $0.baseAddress, $0.count) })
  }

  package func removeTag(_ name: String) throws(Errno) {
    try check(unsafe ctest_remove_attribute(self[name], tagName))
  }
}
