public import SystemPackage

extension FileSystemObserver {
  /// Something of a document that the file which took its place, or a copy of it, could not be given.
  ///
  /// The contents are complete all the same. Apps may tell their user, or try to mend it.
  public struct CarryFailure: Sendable, Hashable {
    /// What a file has besides its contents.
    public enum Property: String, Sendable, Hashable, Codable, CaseIterable {
      /// The tag with the UUID: only where tags are not to be written, for otherwise it is an error.
      case tag
      /// The user who owns the file.
      case owner
      /// The group the file belongs to.
      case group
      /// The bits of chmod(2): also where some were taken away because owner or group are others now.
      case permissions
      /// A list that says who may read and write the file, acl(5).
      case accessControlList
      /// Another extended attribute, xattr(7).
      case attribute
    }

    /// What could not be carried.
    public var property: Property
    /// The name of the extended attribute, for what is kept in one: ``Property/tag``, ``Property/accessControlList``
    /// and ``Property/attribute``.
    public var attributeName: String?
    /// What the system said.
    public var errno: Errno

    /// Makes one; for apps that mock the observer.
    public init(property: Property, attributeName: String? = nil, errno: Errno) {
      self.property = property
      self.attributeName = attributeName
      self.errno = errno
    }
  }
}

extension FileSystemObserver.CarryFailure: CustomStringConvertible {
  /// One sentence for a person.
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
