public import SystemPackage

extension FileSystemObserver {
  /// A property of a document that could not be carried over to its replacement or copy.
  ///
  /// The contents are complete. Apps may inform their user, or try to repair the property.
  public struct CarryFailure: Sendable, Hashable {
    /// A property of a file besides its contents.
    public enum Property: String, Sendable, Hashable, Codable, CaseIterable {
      /// The tag with the UUID; only if tags are not to be written, otherwise an error is thrown.
      case tag
      /// The owner of the file.
      case owner
      /// The group of the file.
      case group
      /// The mode bits of chmod(2), also if some were removed because the owner or group differs.
      case permissions
      /// An access control list, acl(5).
      case accessControlList
      /// Another extended attribute, xattr(7).
      case attribute
    }

    /// The property.
    public var property: Property
    /// The name of the extended attribute; for ``Property/tag``, ``Property/accessControlList`` and
    /// ``Property/attribute``.
    public var attributeName: String?
    /// The error number of the failed system call.
    public var errno: Errno

    /// Makes a failure, for apps that mock the observer.
    public init(property: Property, attributeName: String? = nil, errno: Errno) {
      self.property = property
      self.attributeName = attributeName
      self.errno = errno
    }
  }
}

extension FileSystemObserver.CarryFailure: CustomStringConvertible {
  /// One sentence for the user.
  public var description: String {
    let message: Message = "\(name) could not be carried over (\(errno))"
    return message.text
  }

  private var name: Message {
    switch property {
    case .tag: "the UUID"
    case .owner: "the owner"
    case .group: "the group"
    case .permissions: "the permissions"
    case .accessControlList: "the access control list"
    case .attribute: "the extended attribute \(attributeName ?? "")"
    }
  }
}
