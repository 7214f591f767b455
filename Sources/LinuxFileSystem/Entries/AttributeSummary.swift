package import SystemPackage

/// Permissions, owner and extended attributes of an inode, in a form that shows which of them change.
package struct AttributeSummary: Equatable, Sendable {
  package var permissions: UInt32
  package var owner: UInt32
  package var group: UInt32
  /// A digest of the value of each extended attribute.
  package var values: [String: Digest]

  /// Reads the summary, without following a symbolic link.
  ///
  /// - Parameter ignored: An extended attribute that does not count.
  package static func of(
    _ name: NameView, in directory: borrowing OwnedDescriptor, besides ignored: AttributeName
  ) throws(Errno) -> AttributeSummary {
    let file = try OwnedDescriptor.openPath(name, in: directory)
    let status = try FileStatus.of(file)
    var values: [String: Digest] = [:]
    for attribute in try ExtendedAttribute.namesThroughPath(of: file) where attribute != ignored {
      values[attribute.string] = try digest(of: attribute, of: file)
    }
    return AttributeSummary(
      permissions: status.permissions, owner: status.owner, group: status.group, values: values)
  }

  /// The longest value of an attribute (`XATTR_SIZE_MAX`).
  private static let longestValue = 65_536

  private static func digest(of attribute: AttributeName, of file: borrowing OwnedDescriptor) throws(Errno) -> Digest {
    var digest = Digest()
    var buffer = [UInt8](repeating: 0, count: longestValue)
    var failure: Errno?
    unsafe buffer.withUnsafeMutableBytes { bytes in
      do throws(Errno) {
        if case .bytes(let count) = unsafe try ExtendedAttribute.read(attribute, of: file, into: bytes) {
          unsafe digest.combine(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
      } catch {
        failure = error
      }
    }
    // An unreadable attribute has no visible value.
    if let failure, failure != .permissionDenied, failure != .notPermitted { throw failure }
    return digest
  }
}

extension AttributeSummary {
  /// The names of the attributes that differ, in order.
  package func attributes(differentFrom other: AttributeSummary) -> [String] {
    Set(values.keys).union(other.values.keys).filter { values[$0] != other.values[$0] }.sorted()
  }
}
